// Peak rates of GPUs by the makers' data sheets, one per line: boost clock, dense matrices and sums in FP32.
// Whitepapers of GeForce cards also have rates with sums in FP16, which libraries do not use. MI250 and
// MI250X appear as two GPUs, one per die; the line is for one.

#include "core/gpus/gpu_peaks.h"

namespace warpline {

namespace {

using enum SourceKind;

/// Ordinary cores.
constexpr TypeRates vectorRates(double fp64, double fp32, double fp16)
{
    return {.fp64 = fp64, .fp32 = fp32, .fp16 = fp16};
}

/// Tensor cores without FP64 of NVIDIA from Ampere on, whose types of 16 bits are equally fast.
constexpr TypeRates tensorRates(double tf32, double sixteenBit, double int8, double fp8 = 0, double fp4 = 0)
{
    return {.tf32 = tf32, .fp16 = sixteenBit, .bf16 = sixteenBit, .fp8 = fp8, .fp4 = fp4, .int8 = int8};
}

// Of GPUs that differ in their memory only.
constexpr TypeRates a100Vector = vectorRates(9.7, 19.5, 78);
constexpr TypeRates a100Tensor{.fp64 = 19.5, .tf32 = 156, .fp16 = 312, .bf16 = 312, .int8 = 624};
constexpr TypeRates h100Vector = vectorRates(33.5, 66.9, 133.8);
constexpr TypeRates h100Tensor{
    .fp64 = 66.9, .tf32 = 494.7, .fp16 = 989.4, .bf16 = 989.4, .fp8 = 1978.9, .int8 = 1978.9};

/// Matrix cores of AMD from MI300 on, whose types of one size are equally fast.
constexpr TypeRates matrixRates(
    double fp64, double fp32, double tf32, double sixteenBit, double eightBit, double fp4 = 0)
{
    return {fp64, fp32, tf32, sixteenBit, sixteenBit, eightBit, fp4, eightBit};
}

constexpr std::array sheets = std::to_array<GpuSheet>({
    {"v100", "V100 SXM2", "NVIDIA V100", DataSheet, 7, 0, 80, 16, 1530, 900, 6, vectorRates(7.8, 15.7, 31.4),
        {.fp16 = 125}},
    {"v100", "V100 SXM2 32 GB", "NVIDIA V100", DataSheet, 7, 0, 80, 32, 1530, 900, 6,
        vectorRates(7.8, 15.7, 31.4), {.fp16 = 125}},
    {"v100 pcie", "V100 PCIe", "NVIDIA V100", DataSheet, 7, 0, 80, 16, 1380, 900, 6, vectorRates(7, 14, 28),
        {.fp16 = 112}},
    {"v100 pcie", "V100 PCIe 32 GB", "NVIDIA V100", DataSheet, 7, 0, 80, 32, 1380, 900, 6,
        vectorRates(7, 14, 28), {.fp16 = 112}},
    {"v100s", "V100S PCIe", "NVIDIA V100", DataSheet, 7, 0, 80, 32, 1597, 1134, 6,
        vectorRates(8.2, 16.4, 32.8), {.fp16 = 130}},
    {"titan v", "TITAN V", "NVIDIA TITAN V", Specifications, 7, 0, 80, 12, 1455, 652.8, 4.5,
        vectorRates(7.45, 14.9, 29.8), {.fp16 = 119.2}},
    {"gv100", "Quadro GV100", "NVIDIA Quadro GV100", DataSheet, 7, 0, 80, 32, 1447, 870, 6,
        vectorRates(7.4, 14.8, 29.6), {.fp16 = 118.5}},
    {"t4", "T4", "NVIDIA T4", DataSheet, 7, 5, 40, 15, 1590, 320, 4, vectorRates(0.254, 8.1, 16.2),
        {.fp16 = 65, .int8 = 130}},
    {"rtx 2080 ti", "GeForce RTX 2080 Ti", "NVIDIA Turing", Whitepaper, 7, 5, 68, 11, 1545, 616, 5.5,
        vectorRates(0.42, 13.4, 26.9), {.fp16 = 53.8, .int8 = 215.2}},
    {"rtx 2080 super", "GeForce RTX 2080 SUPER", "NVIDIA Turing", Whitepaper, 7, 5, 48, 8, 1815, 496, 4,
        vectorRates(0.35, 11.2, 22.3), {.fp16 = 44.6, .int8 = 178.4}},
    {"rtx 2080", "GeForce RTX 2080", "NVIDIA Turing", Whitepaper, 7, 5, 46, 8, 1710, 448, 4,
        vectorRates(0.314, 10.1, 20.1), {.fp16 = 40.3, .int8 = 161.1}},
    {"rtx 2070 super", "GeForce RTX 2070 SUPER", "NVIDIA Turing", Whitepaper, 7, 5, 40, 8, 1770, 448, 4,
        vectorRates(0.283, 9.1, 18.1), {.fp16 = 36.3, .int8 = 145}},
    {"rtx 2070", "GeForce RTX 2070", "NVIDIA Turing", Whitepaper, 7, 5, 36, 8, 1620, 448, 4,
        vectorRates(0.233, 7.5, 14.9), {.fp16 = 29.9, .int8 = 119.4}},
    {"rtx 2060 super", "GeForce RTX 2060 SUPER", "NVIDIA Turing", Whitepaper, 7, 5, 34, 8, 1650, 448, 4,
        vectorRates(0.224, 7.2, 14.4), {.fp16 = 28.7, .int8 = 114.9}},
    {"rtx 2060", "GeForce RTX 2060", "NVIDIA Turing", Whitepaper, 7, 5, 30, 6, 1680, 336, 3,
        vectorRates(0.202, 6.5, 12.9), {.fp16 = 25.8, .int8 = 103.2}},
    {"titan rtx", "TITAN RTX", "NVIDIA Turing", Whitepaper, 7, 5, 72, 24, 1770, 672, 6,
        vectorRates(0.51, 16.3, 32.6), {.fp16 = 130.5, .int8 = 261}},
    {"quadro rtx 8000", "Quadro RTX 8000", "NVIDIA Turing", Whitepaper, 7, 5, 72, 48, 1770, 672, 6,
        vectorRates(0.51, 16.3, 32.6), {.fp16 = 130.5, .int8 = 261}},
    {"quadro rtx 6000", "Quadro RTX 6000", "NVIDIA Turing", Whitepaper, 7, 5, 72, 24, 1770, 672, 6,
        vectorRates(0.51, 16.3, 32.6), {.fp16 = 130.5, .int8 = 261}},
    {"quadro rtx 5000", "Quadro RTX 5000", "NVIDIA Quadro RTX 5000", DataSheet, 7, 5, 48, 16, 1815, 448, 4,
        vectorRates(0.35, 11.2, 22.3), {.fp16 = 89.2, .int8 = 178.4}},
    {"quadro rtx 4000", "Quadro RTX 4000", "NVIDIA Quadro RTX 4000", DataSheet, 7, 5, 36, 8, 1545, 416, 4,
        vectorRates(0.22, 7.1, 14.2), {.fp16 = 57, .int8 = 113.9}},
    {"a100", "A100 SXM4 40 GB", "NVIDIA A100", DataSheet, 8, 0, 108, 40, 1410, 1555, 40, a100Vector,
        a100Tensor, 2},
    {"a100", "A100 SXM4 80 GB", "NVIDIA A100", DataSheet, 8, 0, 108, 80, 1410, 2039, 40, a100Vector,
        a100Tensor, 2},
    {"a100 pcie", "A100 PCIe 40 GB", "NVIDIA A100", DataSheet, 8, 0, 108, 40, 1410, 1555, 40, a100Vector,
        a100Tensor, 2},
    {"a100 pcie", "A100 PCIe 80 GB", "NVIDIA A100", DataSheet, 8, 0, 108, 80, 1410, 1935, 40, a100Vector,
        a100Tensor, 2},
    {"a800", "A800 SXM4 80 GB", "NVIDIA A800", DataSheet, 8, 0, 108, 80, 1410, 2039, 40, a100Vector,
        a100Tensor, 2},
    {"a800 pcie", "A800 PCIe 80 GB", "NVIDIA A800", DataSheet, 8, 0, 108, 80, 1410, 1935, 40, a100Vector,
        a100Tensor, 2},
    {"a30", "A30", "NVIDIA A30", DataSheet, 8, 0, 56, 24, 1440, 933, 24, vectorRates(5.2, 10.3, 41.2),
        {.fp64 = 10.3, .tf32 = 82, .fp16 = 165, .bf16 = 165, .int8 = 330}, 2},
    {"a40", "A40", "NVIDIA A40", DataSheet, 8, 6, 84, 45, 1740, 696, 6, vectorRates(0.585, 37.4, 37.4),
        tensorRates(74.8, 149.7, 299.3), 2},
    {"a10", "A10", "NVIDIA A10", DataSheet, 8, 6, 72, 22.5, 1695, 600, 6, vectorRates(0.488, 31.2, 31.2),
        tensorRates(62.5, 125, 250), 2},
    {"a10g", "A10G", "NVIDIA A10G", DataSheet, 8, 6, 80, 22.5, 1710, 600, 6, vectorRates(0.547, 35, 35),
        tensorRates(35, 70, 140), 2},
    {"a16", "A16, one of four GPUs", "NVIDIA A16", DataSheet, 8, 6, 10, 15, 1755, 200, 2,
        vectorRates(0.07, 4.5, 4.5), tensorRates(9, 17.9, 35.9), 2},
    {"a2", "A2", "NVIDIA A2", DataSheet, 8, 6, 10, 15, 1770, 200, 2, vectorRates(0.07, 4.5, 4.5),
        tensorRates(9, 18, 36), 2},
    {"rtx 3090 ti", "GeForce RTX 3090 Ti", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 84, 24, 1860, 1008, 6,
        vectorRates(0.625, 40, 40), tensorRates(40, 80, 320), 2},
    {"rtx 3090", "GeForce RTX 3090", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 82, 24, 1695, 936, 6,
        vectorRates(0.556, 35.6, 35.6), tensorRates(35.6, 71, 284), 2},
    {"rtx 3080 ti", "GeForce RTX 3080 Ti", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 80, 12, 1665, 912, 6,
        vectorRates(0.533, 34.1, 34.1), tensorRates(34.1, 68.2, 273), 2},
    {"rtx 3080", "GeForce RTX 3080", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 68, 10, 1710, 760, 5,
        vectorRates(0.465, 29.8, 29.8), tensorRates(29.8, 59.5, 238), 2},
    {"rtx 3080", "GeForce RTX 3080 12 GB", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 70, 12, 1710, 912, 6,
        vectorRates(0.479, 30.6, 30.6), tensorRates(30.6, 61.3, 245), 2},
    {"rtx 3070 ti", "GeForce RTX 3070 Ti", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 48, 8, 1770, 608, 4,
        vectorRates(0.34, 21.7, 21.7), tensorRates(21.7, 43.5, 174), 2},
    {"rtx 3070", "GeForce RTX 3070", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 46, 8, 1725, 448, 4,
        vectorRates(0.317, 20.3, 20.3), tensorRates(20.3, 40.6, 162.6), 2},
    {"rtx 3060 ti", "GeForce RTX 3060 Ti", "NVIDIA Ampere GA102", Whitepaper, 8, 6, 38, 8, 1665, 448, 4,
        vectorRates(0.253, 16.2, 16.2), tensorRates(16.2, 32.4, 129.6), 2},
    {"rtx 3060", "GeForce RTX 3060", "NVIDIA GeForce RTX 3060", Specifications, 8, 6, 28, 12, 1777, 360, 2.25,
        vectorRates(0.199, 12.7, 12.7), tensorRates(12.7, 25.5, 101.9), 2},
    {"rtx 3050", "GeForce RTX 3050", "NVIDIA GeForce RTX 3050", Specifications, 8, 6, 20, 8, 1777, 224, 2,
        vectorRates(0.142, 9.1, 9.1), tensorRates(9.1, 18.2, 72.8), 2},
    {"a6000", "RTX A6000", "NVIDIA RTX A6000", DataSheet, 8, 6, 84, 48, 1800, 768, 6,
        vectorRates(0.605, 38.7, 38.7), tensorRates(77.4, 154.8, 309.7), 2},
    {"a5500", "RTX A5500", "NVIDIA RTX A5500", DataSheet, 8, 6, 80, 24, 1665, 768, 6,
        vectorRates(0.533, 34.1, 34.1), tensorRates(68.2, 136.4, 272.8), 2},
    {"a5000", "RTX A5000", "NVIDIA RTX A5000", DataSheet, 8, 6, 64, 24, 1695, 768, 6,
        vectorRates(0.434, 27.8, 27.8), tensorRates(55.6, 111.1, 222.2), 2},
    {"a4500", "RTX A4500", "NVIDIA RTX A4500", DataSheet, 8, 6, 56, 20, 1650, 640, 6,
        vectorRates(0.37, 23.7, 23.7), tensorRates(47.3, 94.6, 189.2), 2},
    {"a4000", "RTX A4000", "NVIDIA RTX A4000", DataSheet, 8, 6, 48, 16, 1560, 448, 4,
        vectorRates(0.3, 19.2, 19.2), tensorRates(38.3, 76.7, 153.4), 2},
    {"a2000", "RTX A2000", "NVIDIA RTX A2000", DataSheet, 8, 6, 26, 12, 1200, 288, 3,
        vectorRates(0.125, 8, 8), tensorRates(16, 31.9, 63.9), 2},
    {"l4", "L4", "NVIDIA L4", DataSheet, 8, 9, 58, 22.5, 2040, 300, 48, vectorRates(0.474, 30.3, 30.3),
        tensorRates(60, 121, 242.5, 242.5), 2},
    {"l40", "L40", "NVIDIA L40", DataSheet, 8, 9, 142, 45, 2490, 864, 96, vectorRates(1.41, 90.5, 90.5),
        tensorRates(90.5, 181.05, 362, 362), 2},
    {"l40s", "L40S", "NVIDIA L40S", DataSheet, 8, 9, 142, 45, 2520, 864, 96, vectorRates(1.43, 91.6, 91.6),
        tensorRates(183, 362.05, 733, 733), 2},
    {"l20", "L20", "NVIDIA L20", DataSheet, 8, 9, 92, 48, 2520, 864, 96, vectorRates(0.93, 59.8, 59.8),
        tensorRates(59.8, 119.5, 239, 239), 2},
    {"rtx 4090", "GeForce RTX 4090", "NVIDIA Ada", Whitepaper, 8, 9, 128, 24, 2520, 1008, 72,
        vectorRates(1.291, 82.6, 82.6), tensorRates(82.6, 165.2, 660.8, 330.4), 2},
    {"rtx 4090 d", "GeForce RTX 4090 D", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 114, 24, 2520, 1008,
        72, vectorRates(1.148, 73.5, 73.5), tensorRates(73.5, 147, 588, 294), 2},
    {"rtx 4080 super", "GeForce RTX 4080 SUPER", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 80, 16, 2550,
        736, 64, vectorRates(0.816, 52.2, 52.2), tensorRates(52.2, 104.4, 417.6, 208.8), 2},
    {"rtx 4080", "GeForce RTX 4080", "NVIDIA Ada", Whitepaper, 8, 9, 76, 16, 2505, 716.8, 64,
        vectorRates(0.761, 48.7, 48.7), tensorRates(48.7, 97.4, 389.6, 194.8), 2},
    {"rtx 4070 ti super", "GeForce RTX 4070 Ti SUPER", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 66, 16,
        2610, 672, 48, vectorRates(0.689, 44.1, 44.1), tensorRates(44.1, 88.2, 352.8, 176.4), 2},
    {"rtx 4070 ti", "GeForce RTX 4070 Ti", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 60, 12, 2610, 504,
        48, vectorRates(0.627, 40.1, 40.1), tensorRates(40.1, 80.2, 320.8, 160.4), 2},
    {"rtx 4070 super", "GeForce RTX 4070 SUPER", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 56, 12, 2475,
        504, 48, vectorRates(0.555, 35.5, 35.5), tensorRates(35.5, 71, 284, 142), 2},
    {"rtx 4070", "GeForce RTX 4070", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 46, 12, 2475, 504, 36,
        vectorRates(0.455, 29.1, 29.1), tensorRates(29.1, 58.2, 232.8, 116.4), 2},
    {"rtx 4060 ti", "GeForce RTX 4060 Ti", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 34, 8, 2535, 288,
        32, vectorRates(0.345, 22.1, 22.1), tensorRates(22.1, 44.2, 176.8, 88.4), 2},
    {"rtx 4060", "GeForce RTX 4060", "NVIDIA GeForce RTX 40", Specifications, 8, 9, 24, 8, 2460, 272, 24,
        vectorRates(0.236, 15.1, 15.1), tensorRates(15.1, 30.2, 120.8, 60.4), 2},
    {"rtx 6000 ada", "RTX 6000 Ada", "NVIDIA RTX 6000 Ada Generation", DataSheet, 8, 9, 142, 48, 2505, 960,
        96, vectorRates(1.423, 91.1, 91.1), tensorRates(182.1, 364.2, 728.4, 728.4), 2},
    {"rtx 5000 ada", "RTX 5000 Ada", "NVIDIA RTX 5000 Ada Generation", DataSheet, 8, 9, 100, 32, 2550, 576,
        72, vectorRates(1.02, 65.3, 65.3), tensorRates(130.6, 261.1, 522.2, 522.2), 2},
    {"rtx 4500 ada", "RTX 4500 Ada", "NVIDIA RTX 4500 Ada Generation", DataSheet, 8, 9, 60, 24, 2580, 432, 48,
        vectorRates(0.619, 39.6, 39.6), tensorRates(79.2, 158.5, 317, 317), 2},
    {"rtx 4000 ada", "RTX 4000 Ada", "NVIDIA RTX 4000 Ada Generation", DataSheet, 8, 9, 48, 20, 2175, 360, 48,
        vectorRates(0.417, 26.7, 26.7), tensorRates(53.4, 106.8, 213.6, 213.6), 2},
    {"rtx 2000 ada", "RTX 2000 Ada", "NVIDIA RTX 2000 Ada Generation", DataSheet, 8, 9, 22, 16, 2130, 224, 12,
        vectorRates(0.188, 12, 12), tensorRates(24, 48, 96, 96), 2},
    {"h100", "H100 SXM", "NVIDIA H100", DataSheet, 9, 0, 132, 80, 1980, 3352, 50, h100Vector, h100Tensor, 2},
    {"h100 pcie", "H100 PCIe", "NVIDIA H100", DataSheet, 9, 0, 114, 80, 1755, 2039, 50,
        vectorRates(25.6, 51.2, 102.4),
        {.fp64 = 51.2, .tf32 = 378, .fp16 = 756, .bf16 = 756, .fp8 = 1513, .int8 = 1513}, 2},
    {"h100 nvl", "H100 NVL", "NVIDIA H100", DataSheet, 9, 0, 132, 94, 1785, 3938, 50,
        vectorRates(30, 60, 120),
        {.fp64 = 60, .tf32 = 417.5, .fp16 = 835.5, .bf16 = 835.5, .fp8 = 1670.5, .int8 = 1670.5}, 2},
    {"h800", "H800 SXM", "NVIDIA H800", DataSheet, 9, 0, 132, 80, 1980, 3352, 50, vectorRates(1, 66.9, 133.8),
        {.fp64 = 1, .tf32 = 494.7, .fp16 = 989.4, .bf16 = 989.4, .fp8 = 1978.9, .int8 = 1978.9}, 2},
    {"h800 pcie", "H800 PCIe", "NVIDIA H800", DataSheet, 9, 0, 114, 80, 1755, 2039, 50,
        vectorRates(0.8, 51.2, 102.4),
        {.fp64 = 0.8, .tf32 = 378, .fp16 = 756, .bf16 = 756, .fp8 = 1513, .int8 = 1513}, 2},
    {"h20", "H20", "NVIDIA H20", DataSheet, 9, 0, 78, 96, 1980, 4000, 60, vectorRates(1, 44, 88),
        {.fp64 = 1, .tf32 = 74, .fp16 = 148, .bf16 = 148, .fp8 = 296, .int8 = 296}, 2},
    {"h200", "H200 SXM", "NVIDIA H200", DataSheet, 9, 0, 132, 140, 1980, 4800, 50, h100Vector, h100Tensor, 2},
    {"h200 nvl", "H200 NVL", "NVIDIA H200", DataSheet, 9, 0, 132, 140, 1785, 4800, 50,
        vectorRates(30, 60, 120),
        {.fp64 = 60, .tf32 = 417.5, .fp16 = 835.5, .bf16 = 835.5, .fp8 = 1670.5, .int8 = 1670.5}, 2},
    {"gh200", "GH200 96 GB", "NVIDIA GH200", DataSheet, 9, 0, 132, 95, 1980, 4000, 60, h100Vector, h100Tensor,
        2},
    {"gh200", "GH200 144 GB", "NVIDIA GH200", DataSheet, 9, 0, 132, 140, 1980, 4900, 60, h100Vector,
        h100Tensor, 2},
    {"b100", "B100", "NVIDIA Blackwell", TechnicalBrief, 10, 0, 0, 180, 0, 8000, 126,
        vectorRates(30, 60, 120),
        {.fp64 = 30, .tf32 = 900, .fp16 = 1750, .bf16 = 1750, .fp8 = 3500, .fp4 = 7000, .int8 = 3500}, 2,
        14000},
    {"b200", "B200", "NVIDIA DGX B200", DataSheet, 10, 0, 148, 180, 1965, 8000, 126, vectorRates(37, 75, 150),
        {.fp64 = 37, .tf32 = 1125, .fp16 = 2250, .bf16 = 2250, .fp8 = 4500, .fp4 = 9000, .int8 = 4500}, 2,
        18000},
    {"gb200", "GB200, one of its GPUs", "NVIDIA GB200 NVL72", DataSheet, 10, 0, 152, 185, 2062, 8000, 126,
        vectorRates(40, 80, 160),
        {.fp64 = 40, .tf32 = 1250, .fp16 = 2500, .bf16 = 2500, .fp8 = 5000, .fp4 = 10000, .int8 = 5000}, 2,
        20000},
    {"b300", "B300", "NVIDIA HGX B300", DataSheet, 10, 3, 148, 268, 1920, 8000, 126,
        vectorRates(1.25, 75, 150),
        {.fp64 = 1.25, .tf32 = 1125, .fp16 = 2250, .bf16 = 2250, .fp8 = 4500, .fp4 = 13500, .int8 = 187.5}, 2,
        18000},
    {"gb300", "GB300, one of its GPUs", "NVIDIA GB300 NVL72", DataSheet, 10, 3, 160, 276, 1920, 8000, 126,
        vectorRates(1.3, 80, 160),
        {.fp64 = 1.3, .tf32 = 1250, .fp16 = 2500, .bf16 = 2500, .fp8 = 5000, .fp4 = 15000, .int8 = 165}, 2,
        20000},
    {"gb10", "GB10", "NVIDIA DGX Spark", DataSheet, 12, 1, 48, 119, 2418, 273, 24, vectorRates(0.485, 31, 31),
        tensorRates(62.5, 125, 250, 250, 500), 2, 1000},
    {"rtx 5090", "GeForce RTX 5090", "NVIDIA RTX Blackwell", Whitepaper, 12, 0, 170, 32, 2407, 1792, 96,
        vectorRates(1.637, 104.8, 104.8), tensorRates(104.8, 209.6, 838.4, 419.2, 1676.8), 2, 3353.6},
    {"rtx 5090 d", "GeForce RTX 5090 D", "NVIDIA GeForce RTX 5090 D", Specifications, 12, 0, 170, 32, 2407,
        1792, 96, vectorRates(1.637, 104.8, 104.8), tensorRates(74.3, 148.5, 594, 297, 1187.5), 2, 2375},
    {"rtx 5080", "GeForce RTX 5080", "NVIDIA RTX Blackwell", Whitepaper, 12, 0, 84, 16, 2617, 960, 64,
        vectorRates(0.88, 56.3, 56.3), tensorRates(56.3, 112.6, 450.4, 225.2, 900.8), 2, 1801.6},
    {"rtx 5070 ti", "GeForce RTX 5070 Ti", "NVIDIA RTX Blackwell", Whitepaper, 12, 0, 70, 16, 2452, 896, 48,
        vectorRates(0.686, 43.9, 43.9), tensorRates(43.9, 87.8, 351.2, 175.6, 702.4), 2, 1404.8},
    {"rtx 5070", "GeForce RTX 5070", "NVIDIA RTX Blackwell", Whitepaper, 12, 0, 48, 12, 2512, 672, 48,
        vectorRates(0.483, 30.9, 30.9), tensorRates(30.9, 61.8, 247.2, 123.6, 494.4), 2, 988.8},
    {"rtx 5060 ti", "GeForce RTX 5060 Ti", "NVIDIA GeForce RTX 50", Specifications, 12, 0, 36, 16, 2572, 448,
        32, vectorRates(0.37, 23.7, 23.7), tensorRates(23.7, 47.4, 189.6, 94.8, 379.2), 2, 758.4},
    {"rtx 5060", "GeForce RTX 5060", "NVIDIA GeForce RTX 50", Specifications, 12, 0, 30, 8, 2497, 448, 32,
        vectorRates(0.3, 19.2, 19.2), tensorRates(19.2, 38.4, 153.6, 76.8, 307.2), 2, 614.4},
    {"rtx pro 6000", "RTX PRO 6000 Blackwell", "NVIDIA RTX PRO Blackwell", Whitepaper, 12, 0, 188, 96, 2617,
        1792, 128, vectorRates(1.97, 126, 126), tensorRates(251.9, 503.8, 1007.6, 1007.6, 2015.2), 2, 4030.4},
    {"rtx pro 6000 max", "RTX PRO 6000 Blackwell Max-Q", "NVIDIA RTX PRO Blackwell", Whitepaper, 12, 0, 188,
        96, 2280, 1792, 128, vectorRates(1.71, 109.7, 109.7), tensorRates(219.5, 438.9, 877.9, 877.9, 1755.7),
        2, 3511.4},
    {"rtx pro 6000 server", "RTX PRO 6000 Blackwell Server", "NVIDIA RTX PRO 6000 Blackwell Server Edition",
        DataSheet, 12, 0, 188, 96, 2430, 1597, 128, vectorRates(1.83, 117, 117),
        tensorRates(234, 468, 936, 936, 1872), 2, 3744},
    {"mi100", "Instinct MI100", "AMD Instinct MI100", DataSheet, 9, 0, 120, 32, 1502, 1228.8, 8,
        vectorRates(11.5, 23.1, 46.1), {.fp32 = 46.1, .fp16 = 184.6, .bf16 = 92.3, .int8 = 184.6}},
    {"mi210", "Instinct MI210", "AMD Instinct MI210", DataSheet, 9, 0, 104, 64, 1700, 1638.4, 8,
        vectorRates(22.6, 22.6, 45.3), {.fp64 = 45.3, .fp32 = 45.3, .fp16 = 181, .bf16 = 181, .int8 = 181}},
    {"mi250", "Instinct MI250, one of two dies", "AMD Instinct MI250", DataSheet, 9, 0, 104, 64, 1700, 1638.4,
        8, vectorRates(22.6, 22.6, 45.3),
        {.fp64 = 45.3, .fp32 = 45.3, .fp16 = 181, .bf16 = 181, .int8 = 181}},
    {"mi250x", "Instinct MI250X, one of two dies", "AMD Instinct MI250X", DataSheet, 9, 0, 110, 64, 1700,
        1638.4, 8, vectorRates(23.9, 23.9, 47.9),
        {.fp64 = 47.9, .fp32 = 47.9, .fp16 = 191.5, .bf16 = 191.5, .int8 = 191.5}},
    {"mi300a", "Instinct MI300A", "AMD Instinct MI300A", DataSheet, 9, 4, 228, 128, 2100, 5300, 24,
        vectorRates(61.3, 122.6, 122.6), matrixRates(122.6, 122.6, 490.3, 980.6, 1961.2), 2},
    {"mi300x", "Instinct MI300X", "AMD Instinct MI300X", DataSheet, 9, 4, 304, 192, 2100, 5300, 32,
        vectorRates(81.7, 163.4, 163.4), matrixRates(163.4, 163.4, 653.7, 1307.4, 2614.9), 2},
    {"mi325x", "Instinct MI325X", "AMD Instinct MI325X", DataSheet, 9, 4, 304, 256, 2100, 6000, 32,
        vectorRates(81.7, 163.4, 163.4), matrixRates(163.4, 163.4, 653.7, 1307.4, 2614.9), 2},
    {"mi350x", "Instinct MI350X", "AMD Instinct MI350X", DataSheet, 9, 5, 256, 288, 2200, 8000, 32,
        vectorRates(72.1, 144.2, 144.2), matrixRates(72.1, 144.2, 0, 2306.9, 4613.7, 9227.5), 2},
    {"mi355x", "Instinct MI355X", "AMD Instinct MI355X", DataSheet, 9, 5, 256, 288, 2400, 8000, 32,
        vectorRates(78.6, 157.3, 157.3), matrixRates(78.6, 157.3, 0, 2516.6, 5033.2, 10066.3), 2},
});

/// By SM and cycle, of NVIDIA's CUDA programming guide (arithmetic instructions) and architecture
/// whitepapers.
constexpr std::array cycles = std::to_array<CycleRates>({
    {60, {.fp64 = 64, .fp32 = 128, .fp16 = 256}, {}},
    {61, {.fp64 = 8, .fp32 = 256, .fp16 = 4}, {}},
    {70, {.fp64 = 64, .fp32 = 128, .fp16 = 256}, {.fp16 = 1024}},
    {75, {.fp64 = 4, .fp32 = 128, .fp16 = 256}, {.fp16 = 1024, .int8 = 2048}},
    {80, {.fp64 = 64, .fp32 = 128, .fp16 = 512},
        {.fp64 = 128, .tf32 = 1024, .fp16 = 2048, .bf16 = 2048, .int8 = 4096}},
    {86, {.fp64 = 4, .fp32 = 256, .fp16 = 256}, {.tf32 = 512, .fp16 = 1024, .bf16 = 1024, .int8 = 2048}},
    {87, {.fp64 = 4, .fp32 = 256, .fp16 = 512}, {.tf32 = 1024, .fp16 = 2048, .bf16 = 2048, .int8 = 4096}},
    {89, {.fp64 = 4, .fp32 = 256, .fp16 = 256},
        {.tf32 = 512, .fp16 = 1024, .bf16 = 1024, .fp8 = 2048, .int8 = 2048}},
    {90, {.fp64 = 128, .fp32 = 256, .fp16 = 512},
        {.fp64 = 256, .tf32 = 2048, .fp16 = 4096, .bf16 = 4096, .fp8 = 8192, .int8 = 8192}},
    {100, {.fp64 = 128, .fp32 = 256, .fp16 = 512},
        {.fp64 = 128, .tf32 = 4096, .fp16 = 8192, .bf16 = 8192, .fp8 = 16384, .fp4 = 32768, .int8 = 16384}},
    {103, {.fp64 = 4, .fp32 = 256, .fp16 = 512},
        {.fp64 = 4, .tf32 = 4096, .fp16 = 8192, .bf16 = 8192, .fp8 = 16384, .fp4 = 49152, .int8 = 512}},
    {110, {.fp64 = 4, .fp32 = 256, .fp16 = 512},
        {.tf32 = 4096, .fp16 = 8192, .bf16 = 8192, .fp8 = 16384, .fp4 = 32768, .int8 = 16384}},
    {120, {.fp64 = 4, .fp32 = 256, .fp16 = 256},
        {.tf32 = 512, .fp16 = 1024, .bf16 = 1024, .fp8 = 2048, .fp4 = 4096, .int8 = 2048}},
});

} // namespace

std::span<const GpuSheet> gpuSheets()
{
    return sheets;
}

const CycleRates* cycleRatesOf(std::int32_t major, std::int32_t minor)
{
    const CycleRates* found = nullptr;
    for (const CycleRates& rates : cycles) {
        if (rates.capability <= std::int64_t{major} * 10 + minor)
            found = &rates;
    }
    return found;
}

} // namespace warpline
