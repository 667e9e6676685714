<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Warpline</name>
    <message>
        <source> &amp;nbsp;&amp;middot;&amp;nbsp; &lt;b&gt;GPU %1&lt;/b&gt; busy %2</source>
        <translation> &amp;nbsp;&amp;middot;&amp;nbsp; &lt;b&gt;GPU %1&lt;/b&gt; 忙 %2</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>% of view</source>
        <translation>视图占比</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 earlier</source>
        <translation>%1 早 %2</translation>
    </message>
    <message>
        <source>%1 %2 linked events</source>
        <translation>%1 %2 个关联事件</translation>
    </message>
    <message>
        <source>%1 (%2 ns)</source>
        <translation>%1 (%2 ns)</translation>
    </message>
    <message>
        <source>%1 (%2 times)</source>
        <translation>%1（%2 次）</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 (not in this report)</source>
        <translation>%1（不在这份报告中）</translation>
    </message>
    <message>
        <source>%1 (selection)</source>
        <translation>%1（选中内容）</translation>
    </message>
    <message>
        <source>%1 GPUs without work</source>
        <translation>%1 个 GPU 没有工作</translation>
    </message>
    <message>
        <source>%1 SMs</source>
        <translation>%1 个 SM</translation>
    </message>
    <message>
        <source>%1 The file is unchanged.</source>
        <translation>文件 %1 没有改变。</translation>
    </message>
    <message>
        <source>%1 Warpline shows what it read before.</source>
        <translation>%1 Warpline 显示之前读到的内容。</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 与 %2 对比</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>%1 and %2 more, on average</source>
        <translation>%1 以及另外 %2 个，平均</translation>
    </message>
    <message>
        <source>%1 and more</source>
        <translation>%1 及以上</translation>
    </message>
    <message>
        <source>%1 busy</source>
        <translation>忙 %1</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 次调用</translation>
    </message>
    <message>
        <source>%1 cannot be read, or the cache folder for its export is missing. Convert it by hand: %2</source>
        <translation>无法读取 %1，或缺少存放其导出的缓存文件夹。请手动转换：%2</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be written: its ending names no format of pictures, such as .png.</source>
        <translation>无法写入 %1：其扩展名不是图片格式，例如 .png。</translation>
    </message>
    <message>
        <source>%1 changed on disk. You are viewing the earlier version.</source>
        <translation>%1 在磁盘上已改变。当前显示的是较早的版本。</translation>
    </message>
    <message>
        <source>%1 changed on disk. You are viewing the earlier version. To read it again, choose File &gt; Reload files.</source>
        <translation>%1 在磁盘上已改变。当前显示的是较早的版本。要重新读取，请选择“文件 &gt; 重新加载文件”。</translation>
    </message>
    <message>
        <source>%1 columns are NULL</source>
        <translation>%1 列为 NULL</translation>
    </message>
    <message>
        <source>%1 copies</source>
        <translation>%1 次拷贝</translation>
    </message>
    <message>
        <source>%1 could not be started.</source>
        <translation>无法启动 %1。</translation>
    </message>
    <message>
        <source>%1 could not be started. Convert the report by hand: %2</source>
        <translation>无法启动 %1。请手动转换报告：%2</translation>
    </message>
    <message>
        <source>%1 does not exist on this machine.</source>
        <translation>本机没有 %1。</translation>
    </message>
    <message>
        <source>%1 does not exist. Check the name.</source>
        <translation>%1 不存在。请检查名称。</translation>
    </message>
    <message>
        <source>%1 event</source>
        <translation>%1 个事件</translation>
    </message>
    <message>
        <source>%1 event = %2 of the time</source>
        <translation>%1 个事件 = 时间的 %2</translation>
    </message>
    <message>
        <source>%1 events</source>
        <translation>%1 个事件</translation>
    </message>
    <message>
        <source>%1 events = %2 of the time</source>
        <translation>%1 个事件 = 时间的 %2</translation>
    </message>
    <message>
        <source>%1 events highlighted</source>
        <translation>突出显示 %1 个事件</translation>
    </message>
    <message>
        <source>%1 events highlighted; double-click to step through them</source>
        <translation>突出显示 %1 个事件；双击可逐个查看</translation>
    </message>
    <message>
        <source>%1 events in the selected range, sum of whole durations: %2</source>
        <translation>选中的范围中 %1 个事件，完整时长共 %2</translation>
    </message>
    <message>
        <source>%1 events in the selection, sum of whole durations: %2</source>
        <translation>选中内容中 %1 个事件，完整时长共 %2</translation>
    </message>
    <message>
        <source>%1 events of this duration highlighted</source>
        <translation>突出显示 %1 个该时长的事件</translation>
    </message>
    <message>
        <source>%1 events, %2</source>
        <translation>%1 个事件，共 %2</translation>
    </message>
    <message>
        <source>%1 events, %2 in %3 selected rows</source>
        <translation>%3 个选中的行中 %1 个事件，共 %2</translation>
    </message>
    <message>
        <source>%1 events, %2 in the selected row</source>
        <translation>选中的行中 %1 个事件，共 %2</translation>
    </message>
    <message>
        <source>%1 events, %2 to %3, mean %4</source>
        <translation>%1 个事件，%2 到 %3，平均 %4</translation>
    </message>
    <message>
        <source>%1 exists. Replace it?</source>
        <translation>%1 已存在。要替换它吗？</translation>
    </message>
    <message>
        <source>%1 findings</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>%1 in %2 calls</source>
        <translation>%2 次调用共 %1</translation>
    </message>
    <message>
        <source>%1 in %2, mean %3</source>
        <translation>%2 个共 %1，平均 %3</translation>
    </message>
    <message>
        <source>%1 in range, whole: %2</source>
        <translation>范围内 %1，完整：%2</translation>
    </message>
    <message>
        <source>%1 is a link to %2. Write there?</source>
        <translation>%1 是指向 %2 的链接。要写到那里吗？</translation>
    </message>
    <message>
        <source>%1 is a report in use. Choose another name.</source>
        <translation>%1 是正在使用的报告。请选择其他名称。</translation>
    </message>
    <message>
        <source>%1 is a view of %2 reports. Open all of them together, then this file.</source>
        <translation>%1 是 %2 份报告的视图。请一起打开这些报告，然后打开此文件。</translation>
    </message>
    <message>
        <source>%1 is a view of a report that lasts %2 (%3). Open that report alone, then this file.</source>
        <translation>%1 是一份时长 %2 的报告（%3）的视图。请单独打开那份报告，然后打开此文件。</translation>
    </message>
    <message>
        <source>%1 is assigned to “%2” and to “%3”.</source>
        <translation>%1 已分配给“%2”和“%3”。</translation>
    </message>
    <message>
        <source>%1 is not a program.</source>
        <translation>%1 不是程序。</translation>
    </message>
    <message>
        <source>%1 is not a program. Choose another file.</source>
        <translation>%1 不是程序。请选择其他文件。</translation>
    </message>
    <message>
        <source>%1 is not a rank. Enter a rank number, 0 or higher.</source>
        <translation>%1 不是 rank。请输入 0 或更大的 rank 编号。</translation>
    </message>
    <message>
        <source>%1 is not a time. Enter one such as 3.7 ms or -120 us.</source>
        <translation>%1 不是时间。请输入例如 3.7 ms 或 -120 us。</translation>
    </message>
    <message>
        <source>%1 is open already.</source>
        <translation>%1 已经打开。</translation>
    </message>
    <message>
        <source>%1 is too large for a summary of ranks.</source>
        <translation>%1 太大，不是 rank 的摘要。</translation>
    </message>
    <message>
        <source>%1 kernels</source>
        <translation>%1 个 kernel</translation>
    </message>
    <message>
        <source>%1 later %2</source>
        <translation>晚 %1 %2</translation>
    </message>
    <message>
        <source>%1 matches</source>
        <translation>%1 个匹配</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>%1 more files could not be opened.</source>
        <translation>另有 %1 个文件无法打开。</translation>
    </message>
    <message>
        <source>%1 more, too narrow to draw: together %2 of all, %3</source>
        <translation>另有 %1 个太窄而未画出：共占全部的 %2，%3</translation>
    </message>
    <message>
        <source>%1 more: choose Next evidence.</source>
        <translation>另有 %1 个：选择“下一个依据”。</translation>
    </message>
    <message>
        <source>%1 ns, from %2 ns to %3 ns</source>
        <translation>%1 ns，从 %2 ns 到 %3 ns</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 events</source>
        <translation>%2 个事件中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 folders</source>
        <translation>%2 个文件夹中的 %1</translation>
    </message>
    <message>
        <source>%1 of %2 match</source>
        <translation>%2 个中有 %1 个匹配</translation>
    </message>
    <message>
        <source>%1 of %2 names listed</source>
        <translation>列出 %2 个名称中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 to %3 of %4</source>
        <translation>%2 的%1到 %4 的%3</translation>
    </message>
    <message>
        <source>%1 of copy time</source>
        <translation>拷贝时间的 %1</translation>
    </message>
    <message>
        <source>%1 of its kind</source>
        <translation>同类的 %1</translation>
    </message>
    <message>
        <source>%1 of kernel time</source>
        <translation>kernel 时间的 %1</translation>
    </message>
    <message>
        <source>%1 of kernel time (%2, %3 launches). Longest launch: %4.</source>
        <translation>占 kernel 时间的 %1（%2，%3 次启动）。最长的启动：%4。</translation>
    </message>
    <message>
        <source>%1 of kernel time (%2, 1 launch): %3.</source>
        <translation>占 kernel 时间的 %1（%2，1 次启动）：%3。</translation>
    </message>
    <message>
        <source>%1 of kernel time on all GPUs</source>
        <translation>占所有 GPU 的 kernel 时间的 %1</translation>
    </message>
    <message>
        <source>%1 of “%2”</source>
        <translation>“%2”的%1</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>%1 on the GPU</source>
        <translation>GPU 上 %1</translation>
    </message>
    <message>
        <source>%1 on the axis (%2 on the report's own clock)</source>
        <translation>轴上 %1（报告自身时钟上 %2）</translation>
    </message>
    <message>
        <source>%1 on the host: %2</source>
        <translation>主机上的 %1：%2</translation>
    </message>
    <message>
        <source>%1 other parts</source>
        <translation>另外 %1 个部分</translation>
    </message>
    <message>
        <source>%1 others</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>%1 outliers</source>
        <translation>%1 个离群值</translation>
    </message>
    <message>
        <source>%1 outliers above %2</source>
        <translation>%1 个离群值高于 %2</translation>
    </message>
    <message>
        <source>%1 outliers, first: %2</source>
        <translation>%1 个离群值，第一个：%2</translation>
    </message>
    <message>
        <source>%1 pieces</source>
        <translation>%1 个</translation>
    </message>
    <message>
        <source>%1 reports</source>
        <translation>%1 份报告</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 行</translation>
    </message>
    <message>
        <source>%1 rows filtered out</source>
        <translation>筛选掉 %1 行</translation>
    </message>
    <message>
        <source>%1 rows hidden</source>
        <translation>隐藏了 %1 行</translation>
    </message>
    <message>
        <source>%1 rows in this scope</source>
        <translation>该范围内 %1 行</translation>
    </message>
    <message>
        <source>%1 rows skipped or repaired</source>
        <translation>跳过或修正了 %1 行</translation>
    </message>
    <message>
        <source>%1 rules skipped: data not recorded</source>
        <translation>跳过 %1 条规则：没有录制所需数据</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 个采样</translation>
    </message>
    <message>
        <source>%1 sets</source>
        <translation>%1 次 memset</translation>
    </message>
    <message>
        <source>%1 starts no GPU work and waits for none.</source>
        <translation>%1 不启动 GPU 工作，也不等待 GPU 工作。</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>%1 steps (%2)</source>
        <translation>%1 步 (%2)</translation>
    </message>
    <message>
        <source>%1 steps (%2), median %3 on the GPU</source>
        <translation>%1 步 (%2)，GPU 上的中位数 %3</translation>
    </message>
    <message>
        <source>%1 steps on %2 threads</source>
        <translation>%1 步，%2 个线程</translation>
    </message>
    <message>
        <source>%1 takes %2 x the usual, unlike all others</source>
        <translation>%1 是平常的 %2 倍，与其他都不同</translation>
    </message>
    <message>
        <source>%1 threads shown</source>
        <translation>显示 %1 个线程</translation>
    </message>
    <message>
        <source>%1 times the median</source>
        <translation>中位数的 %1 倍</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 to %2 (%3 reports)</source>
        <translation>%1 到 %2（%3 份报告）</translation>
    </message>
    <message>
        <source>%1 to %2, %3 events</source>
        <translation>%1 到 %2，%3 个事件</translation>
    </message>
    <message>
        <source>%1 to %2, 1 event</source>
        <translation>%1 到 %2，1 个事件</translation>
    </message>
    <message>
        <source>%1 to %2: %3</source>
        <translation>%1 到 %2：%3</translation>
    </message>
    <message>
        <source>%1 to %2: A %3, B %4</source>
        <translation>%1 到 %2：A %3，B %4</translation>
    </message>
    <message>
        <source>%1 to the median</source>
        <translation>到中位数 %1</translation>
    </message>
    <message>
        <source>%1 waits %2 for %3 on %4</source>
        <translation>%1 等待 %3（在 %4 上）%2</translation>
    </message>
    <message>
        <source>%1 warm-up (bar cut off)</source>
        <translation>%1 个预热（条被截断）</translation>
    </message>
    <message>
        <source>%1 was not found, and is not next to %2 either. Copy the report there to open it.</source>
        <translation>没有找到 %1，%2 旁边也没有。请把报告复制到那里再打开。</translation>
    </message>
    <message>
        <source>%1 was not opened or saved with these reports. Overwrite it?</source>
        <translation>%1 不是和这些报告一起打开或保存的。要覆盖它吗？</translation>
    </message>
    <message>
        <source>%1 with SQLite: %2.</source>
        <translation>%2 用 SQLite 读取：%1。</translation>
    </message>
    <message>
        <source>%1 x the usual, unlike all others</source>
        <translation>是平常的 %1 倍，与其他都不同</translation>
    </message>
    <message>
        <source>%1 · no steps of the selected rows</source>
        <translation>%1 · 选中的行没有步</translation>
    </message>
    <message>
        <source>%1 ×</source>
        <translation>%1 ×</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2 events</source>
        <translation>%1，%2 个事件</translation>
    </message>
    <message>
        <source>%1, %2 to %3</source>
        <translation>%1，%2 到 %3</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1，%2，%3</translation>
    </message>
    <message>
        <source>%1, %2, at %3, in %4</source>
        <translation>%1，%2，在 %3，在 %4 中</translation>
    </message>
    <message>
        <source>%1, 1 event</source>
        <translation>%1，1 个事件</translation>
    </message>
    <message>
        <source>%1, GPU work in %2 of it</source>
        <translation>%1，GPU 工作在其中 %2</translation>
    </message>
    <message>
        <source>%1, GPU work in the first %2</source>
        <translation>%1，GPU 工作在最初 %2</translation>
    </message>
    <message>
        <source>%1, GPU work in the last %2</source>
        <translation>%1，GPU 工作在最后 %2</translation>
    </message>
    <message>
        <source>%1, at %2</source>
        <translation>%1，在 %2</translation>
    </message>
    <message>
        <source>%1, at %2, in %3</source>
        <translation>%1，在 %2，在 %3 中</translation>
    </message>
    <message>
        <source>%1, most GPU work in %2 of it</source>
        <translation>%1，大部分 GPU 工作在其中 %2</translation>
    </message>
    <message>
        <source>%1, most GPU work in the first %2</source>
        <translation>%1，大部分 GPU 工作在最初 %2</translation>
    </message>
    <message>
        <source>%1, most GPU work in the last %2</source>
        <translation>%1，大部分 GPU 工作在最后 %2</translation>
    </message>
    <message>
        <source>%1, of %2</source>
        <translation>%1，属于 %2</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1，行 %2</translation>
    </message>
    <message>
        <source>%1, then %2: gap %3 ns, start to start %4 ns</source>
        <translation>%1，然后 %2：空隙 %3 ns，开始到开始 %4 ns</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1: %2 event, %3 of the time</source>
        <translation>%1：%2 个事件，占时间的 %3</translation>
    </message>
    <message>
        <source>%1: %2 events, %3 of the time</source>
        <translation>%1：%2 个事件，占时间的 %3</translation>
    </message>
    <message>
        <source>%1: %2 events, median %3</source>
        <translation>%1：%2 个事件，中位数 %3</translation>
    </message>
    <message>
        <source>%1: %2 of %3 rows</source>
        <translation>%1：%3 行中的 %2 行</translation>
    </message>
    <message>
        <source>%1: %2 of %3 ×</source>
        <translation>%1：%3 中的 %2 ×</translation>
    </message>
    <message>
        <source>%1: %2 of all, %3; self %4</source>
        <translation>%1：占全部的 %2，%3；自身 %4</translation>
    </message>
    <message>
        <source>%1: %2 reports. Click a rank or a step to open its report.</source>
        <translation>%1：%2 份报告。单击一个 rank 或一步可打开它的报告。</translation>
    </message>
    <message>
        <source>%1: %2, %3, in %4 intervals</source>
        <translation>%1：%2，%3，%4 个区间</translation>
    </message>
    <message>
        <source>%1: A %2, B %3, %4</source>
        <translation>%1：A %2，B %3，%4</translation>
    </message>
    <message>
        <source>%1: click to go there</source>
        <translation>%1：单击可转到那里</translation>
    </message>
    <message>
        <source>%1: loading was cancelled.</source>
        <translation>%1：加载已取消。</translation>
    </message>
    <message>
        <source>%1: none</source>
        <translation>%1：无</translation>
    </message>
    <message>
        <source>%1: not recorded</source>
        <translation>%1：没有录制</translation>
    </message>
    <message>
        <source>%1: only to the end of its work</source>
        <translation>%1：只到其工作结束</translation>
    </message>
    <message>
        <source>%1; red: larger share in B, green: smaller share</source>
        <translation>%1；红色：在 B 中占比更大，绿色：占比更小</translation>
    </message>
    <message>
        <source>%1; warm-up hatched</source>
        <translation>%1；预热为斜线</translation>
    </message>
    <message>
        <source>&amp;About Warpline</source>
        <translation>关于 Warpline(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Add reports…</source>
        <translation>添加报告(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Add to my rows</source>
        <translation>加入我的行(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Add…</source>
        <translation>添加(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;All rows</source>
        <translation>所有行(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Chrome trace…</source>
        <translation>Chrome trace(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Color by</source>
        <translation>着色方式(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Color…</source>
        <translation>颜色(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Compare with…</source>
        <translation>对比(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Compute</source>
        <translation>计算(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Documentation</source>
        <translation>文档(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Drawer</source>
        <translation>抽屉面板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Duration</source>
        <translation>时长(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Events as CSV…</source>
        <translation>事件为 CSV(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>导出(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Filter rows</source>
        <translation>筛选行(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Findings of the whole report</source>
        <translation>整份报告的问题(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Findings…</source>
        <translation>问题(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;GPUs without work</source>
        <translation>没有工作的 GPU(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Glossary</source>
        <translation>术语表(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>主机(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Include folder, machine and command line</source>
        <translation>包括文件夹、机器和命令行(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>种类(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Legend</source>
        <translation>图例(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Metrics</source>
        <translation>指标(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>名称(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Next evidence</source>
        <translation>下一个依据(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Only events that match the filter</source>
        <translation>只包括与筛选匹配的事件(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Picture of the window…</source>
        <translation>窗口截图(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Pin matching rows</source>
        <translation>固定匹配的行(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Pin row to the top</source>
        <translation>把行固定在顶部(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>首选项(&amp;P)…</translation>
    </message>
    <message>
        <source>&amp;Previous evidence</source>
        <translation>上一个依据(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Remove private data</source>
        <translation>去除隐私数据(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Reports…</source>
        <translation>报告(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save set…</source>
        <translation>保存组合(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Save view</source>
        <translation>保存视图(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Selected range</source>
        <translation>选中的范围(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Shorter row</source>
        <translation>降低行(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Steps without warm-up</source>
        <translation>不含预热的步(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Stream and thread</source>
        <translation>流和线程(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Taller row</source>
        <translation>增高行(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Timeline</source>
        <translation>时间线(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Unpin row</source>
        <translation>取消固定行(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Visible range</source>
        <translation>可见范围(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Whole report, %1</source>
        <translation>整份报告，%1(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;nsys tables</source>
        <translation>nsys 表(&amp;N)</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>（无）</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>0 to %1</source>
        <translation>0 到 %1</translation>
    </message>
    <message>
        <source>0 to %1 and more</source>
        <translation>0 到 %1 及以上</translation>
    </message>
    <message>
        <source>0 to %1 and more, up to %2</source>
        <translation>0 到 %1 及以上，最大 %2</translation>
    </message>
    <message>
        <source>0 to 100%</source>
        <translation>0 到 100%</translation>
    </message>
    <message>
        <source>1 GPU without work</source>
        <translation>1 个 GPU 没有工作</translation>
    </message>
    <message>
        <source>1 column is NULL</source>
        <translation>1 列为 NULL</translation>
    </message>
    <message>
        <source>1 event</source>
        <translation>1 个事件</translation>
    </message>
    <message>
        <source>1 event highlighted</source>
        <translation>突出显示 1 个事件</translation>
    </message>
    <message>
        <source>1 event of this duration highlighted</source>
        <translation>突出显示 1 个该时长的事件</translation>
    </message>
    <message>
        <source>1 event, %1</source>
        <translation>1 个事件，%1</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 个问题</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 个匹配</translation>
    </message>
    <message>
        <source>1 more, too narrow to draw: %1 of all</source>
        <translation>另有 1 个太窄而未画出：占全部的 %1</translation>
    </message>
    <message>
        <source>1 other part</source>
        <translation>另外 1 个部分</translation>
    </message>
    <message>
        <source>1 outlier</source>
        <translation>1 个离群值</translation>
    </message>
    <message>
        <source>1 outlier above %1</source>
        <translation>1 个离群值高于 %1</translation>
    </message>
    <message>
        <source>1 outlier: %1</source>
        <translation>1 个离群值：%1</translation>
    </message>
    <message>
        <source>1 piece</source>
        <translation>1 个</translation>
    </message>
    <message>
        <source>1 row</source>
        <translation>1 行</translation>
    </message>
    <message>
        <source>1 row filtered out</source>
        <translation>筛选掉 1 行</translation>
    </message>
    <message>
        <source>1 row hidden</source>
        <translation>隐藏了 1 行</translation>
    </message>
    <message>
        <source>1 row in this scope</source>
        <translation>该范围内 1 行</translation>
    </message>
    <message>
        <source>1 row skipped or repaired</source>
        <translation>跳过或修正了 1 行</translation>
    </message>
    <message>
        <source>1 rule skipped: data not recorded</source>
        <translation>跳过 1 条规则：没有录制所需数据</translation>
    </message>
    <message>
        <source>1 sample</source>
        <translation>1 个采样</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>90th percentile: 90% are shorter</source>
        <translation>第 90 百分位：90% 更短</translation>
    </message>
    <message>
        <source>95th percentile: 95% are shorter</source>
        <translation>第 95 百分位：95% 更短</translation>
    </message>
    <message>
        <source>99th percentile: 99% are shorter</source>
        <translation>第 99 百分位：99% 更短</translation>
    </message>
    <message>
        <source>; %1 times the median (%2)</source>
        <translation>；是中位数（%2）的 %1 倍</translation>
    </message>
    <message>
        <source>; A %1, B %2 of all</source>
        <translation>；A %1，B 占全部的 %2</translation>
    </message>
    <message>
        <source>; equals the median</source>
        <translation>；等于中位数</translation>
    </message>
    <message>
        <source>; in warm-up, hatched, up to %1</source>
        <translation>；预热（斜线）中最大 %1</translation>
    </message>
    <message>
        <source>; near the median (%1)</source>
        <translation>；接近中位数（%1）</translation>
    </message>
    <message>
        <source>&lt;a href='%2'&gt;Detect steps automatically&lt;/a&gt;. No NVTX range is named &lt;b&gt;%1&lt;/b&gt;.</source>
        <translation>&lt;a href='%2'&gt;自动检测步&lt;/a&gt;。没有名为 &lt;b&gt;%1&lt;/b&gt; 的 NVTX 范围。</translation>
    </message>
    <message>
        <source>&lt;a href='%2'&gt;Detect steps automatically&lt;/a&gt;. No NVTX range named &lt;b&gt;%1&lt;/b&gt; launches GPU work.</source>
        <translation>&lt;a href='%2'&gt;自动检测步&lt;/a&gt;。没有名为 &lt;b&gt;%1&lt;/b&gt; 的 NVTX 范围启动 GPU 工作。</translation>
    </message>
    <message>
        <source>&lt;a href='all'&gt;Show all&lt;/a&gt;</source>
        <translation>&lt;a href='all'&gt;显示全部&lt;/a&gt;</translation>
    </message>
    <message>
        <source>&lt;a href='gpu'&gt;GPU time&lt;/a&gt; shows where the time of the GPU goes, and the steps that repeat there.</source>
        <translation>&lt;a href='gpu'&gt;GPU 时间&lt;/a&gt;显示 GPU 的时间用在哪里，以及在那里重复出现的步。</translation>
    </message>
    <message>
        <source>&lt;a href='panel:findings'&gt;Findings in this range&lt;/a&gt;</source>
        <translation>&lt;a href='panel:findings'&gt;该范围内的问题&lt;/a&gt;</translation>
    </message>
    <message>
        <source>&lt;a href='panel:statistics'&gt;All statistics of this range&lt;/a&gt;</source>
        <translation>&lt;a href='panel:statistics'&gt;该范围的全部统计&lt;/a&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;Did my change help?&lt;/b&gt; Choose the run after the change.</source>
        <translation>&lt;b&gt;我的改动有用吗？&lt;/b&gt;选择改动后的运行。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Did my change help?&lt;/b&gt; Choose the run after the change. To compare two ranges of this report, select the first and choose Set as A in the menu of the timeline. Then select the second and choose Compare with A.</source>
        <translation>&lt;b&gt;我的改动有用吗？&lt;/b&gt;选择改动后的运行。要对比这份报告的两个范围，先选中第一个，在时间线的菜单中选择“设为 A”。再选中第二个，选择“与 A 对比”。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Expected saving: %1&lt;/b&gt; (%2 to %3).</source>
        <translation>&lt;b&gt;预计节省时间：%1&lt;/b&gt;（%2 到 %3）。</translation>
    </message>
    <message>
        <source>&lt;b&gt;Expected saving: %1&lt;/b&gt;.</source>
        <translation>&lt;b&gt;预计节省时间：%1&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>&lt;b&gt;GPU %1 busy %2&lt;/b&gt;</source>
        <translation>&lt;b&gt;GPU %1 忙 %2&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;Slower by %1&lt;/b&gt; (%2 to %3).</source>
        <translation>&lt;b&gt;慢 %1&lt;/b&gt;（%2 到 %3）。</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Warpline %1&lt;/h3&gt;&lt;p&gt;Timeline viewer and analyzer for Nsight Systems exports and PyTorch profiler traces.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later. It comes without any warranty.&lt;/p&gt;&lt;p&gt;NVIDIA and Nsight are trademarks of NVIDIA Corporation, which has no part in this program.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Warpline %1&lt;/h3&gt;&lt;p&gt;查看和分析 Nsight Systems 导出和 PyTorch profiler 跟踪的时间线工具。&lt;/p&gt;&lt;p&gt;自由软件，许可证为 GNU 通用公共许可证第 3 版或更新版本。不附带任何担保。&lt;/p&gt;&lt;p&gt;NVIDIA 和 Nsight 是 NVIDIA 公司的商标，该公司与本程序无关。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&gt; 10us, &lt; 5ms, or 1ms..5ms</source>
        <translation>&gt; 10us、&lt; 5ms 或 1ms..5ms</translation>
    </message>
    <message>
        <source>A (ns)</source>
        <translation>A (ns)</translation>
    </message>
    <message>
        <source>A FLOP/s</source>
        <translation>A FLOP/s</translation>
    </message>
    <message>
        <source>A GPU step lasts from its first work to the first work of the next step. If the host delays the next step, that time counts here as part of the previous one. An outlier is a step whose own range, or own GPU work, takes long.</source>
        <translation>GPU 步从它的第一个工作持续到下一步的第一个工作。如果主机推迟了下一步，这段时间计入前一步。离群值是自身范围或自身 GPU 工作耗时很长的步。</translation>
    </message>
    <message>
        <source>A average</source>
        <translation>A 平均</translation>
    </message>
    <message>
        <source>A bytes/s</source>
        <translation>A 字节/s</translation>
    </message>
    <message>
        <source>A count</source>
        <translation>A 次数</translation>
    </message>
    <message>
        <source>A roofline</source>
        <translation>A Roofline</translation>
    </message>
    <message>
        <source>A smaller report for Warpline and nsys stats. Events at its edges stay whole.</source>
        <translation>供 Warpline 和 nsys stats 使用的较小的报告。边缘的事件保持完整。</translation>
    </message>
    <message>
        <source>A timeline row needs a column start, timestamp or time, in nanoseconds.</source>
        <translation>时间线的行需要列 start、timestamp 或 time，以纳秒计。</translation>
    </message>
    <message>
        <source>A: %1</source>
        <translation>A：%1</translation>
    </message>
    <message>
        <source>About Warpline</source>
        <translation>关于 Warpline</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Add reports</source>
        <translation>添加报告</translation>
    </message>
    <message>
        <source>Add reports to the open ones</source>
        <translation>把报告添加到已打开的报告中</translation>
    </message>
    <message>
        <source>Add reports…</source>
        <translation>添加报告…</translation>
    </message>
    <message>
        <source>Add the row, and rows of this name in other reports, to My rows</source>
        <translation>把该行以及其他报告中的同名行加入“我的行”</translation>
    </message>
    <message>
        <source>Algorithm GB/s</source>
        <translation>算法带宽 GB/s</translation>
    </message>
    <message>
        <source>Align at the selected e&amp;vents</source>
        <translation>按选中的事件对齐(&amp;V)</translation>
    </message>
    <message>
        <source>Align the selected events of A and B</source>
        <translation>对齐 A 和 B 中选中的事件</translation>
    </message>
    <message>
        <source>Aligned by</source>
        <translation>对齐依据</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>All GPUs and processes: the selected rows do not apply here.</source>
        <translation>所有 GPU 和进程：选中的行在这里不起作用。</translation>
    </message>
    <message>
        <source>All GPUs idle %1</source>
        <translation>所有 GPU 空闲 %1</translation>
    </message>
    <message>
        <source>All bytes, also of events that are only partly in the range</source>
        <translation>全部字节，包括只有一部分在范围内的事件</translation>
    </message>
    <message>
        <source>All defaults</source>
        <translation>全部恢复默认值</translation>
    </message>
    <message>
        <source>All findings (%1)</source>
        <translation>全部问题 (%1)</translation>
    </message>
    <message>
        <source>All in this context</source>
        <translation>该上下文中的所有事件</translation>
    </message>
    <message>
        <source>All kinds</source>
        <translation>所有种类</translation>
    </message>
    <message>
        <source>All of this kind</source>
        <translation>所有同种类事件</translation>
    </message>
    <message>
        <source>All of this name</source>
        <translation>所有同名事件</translation>
    </message>
    <message>
        <source>All of this process</source>
        <translation>该进程的所有事件</translation>
    </message>
    <message>
        <source>All on this stream</source>
        <translation>该流上的所有事件</translation>
    </message>
    <message>
        <source>All on this thread</source>
        <translation>该线程上的所有事件</translation>
    </message>
    <message>
        <source>All ranks and steps: the selection does not apply here.</source>
        <translation>所有 rank 和步：选中内容在这里不起作用。</translation>
    </message>
    <message>
        <source>All reports</source>
        <translation>所有报告</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>所有行</translation>
    </message>
    <message>
        <source>All rows are filtered out.</source>
        <translation>所有行都被筛选掉了。</translation>
    </message>
    <message>
        <source>All threads</source>
        <translation>所有线程</translation>
    </message>
    <message>
        <source>All time, also of copies that are only partly in the range</source>
        <translation>全部时间，包括只有一部分在范围内的拷贝</translation>
    </message>
    <message>
        <source>Allocating calls</source>
        <translation>分配调用</translation>
    </message>
    <message>
        <source>Also record</source>
        <translation>同时录制</translation>
    </message>
    <message>
        <source>Analyzing…</source>
        <translation>正在分析…</translation>
    </message>
    <message>
        <source>Animate navigation</source>
        <translation>导航时使用动画</translation>
    </message>
    <message>
        <source>Another comparison is shown now. Nothing was written.</source>
        <translation>现在显示的是另一次对比。未写入任何内容。</translation>
    </message>
    <message>
        <source>Another export is running. Wait for it, or cancel it.</source>
        <translation>另一个导出正在进行。请等待它完成，或取消它。</translation>
    </message>
    <message>
        <source>Another program made or changed %1. Overwrite it?</source>
        <translation>%1 由另一个程序创建或更改。要覆盖它吗？</translation>
    </message>
    <message>
        <source>Another report is open now. Nothing was written.</source>
        <translation>现在打开的是另一份报告。没有写入任何内容。</translation>
    </message>
    <message>
        <source>Arrives after first</source>
        <translation>比最先到达者晚</translation>
    </message>
    <message>
        <source>At least one GPU computing %1</source>
        <translation>至少一个 GPU 计算 %1</translation>
    </message>
    <message>
        <source>At least one report must stay visible. To close all, choose File &gt; Close.</source>
        <translation>至少要有一份报告保持可见。要全部关闭，请选择“文件 &gt; 关闭”。</translation>
    </message>
    <message>
        <source>Auto scale</source>
        <translation>自动刻度</translation>
    </message>
    <message>
        <source>B (ns)</source>
        <translation>B (ns)</translation>
    </message>
    <message>
        <source>B FLOP/s</source>
        <translation>B FLOP/s</translation>
    </message>
    <message>
        <source>B average</source>
        <translation>B 平均</translation>
    </message>
    <message>
        <source>B bytes/s</source>
        <translation>B 字节/s</translation>
    </message>
    <message>
        <source>B count</source>
        <translation>B 次数</translation>
    </message>
    <message>
        <source>B roofline</source>
        <translation>B Roofline</translation>
    </message>
    <message>
        <source>B takes %1 less time</source>
        <translation>B 用时少 %1</translation>
    </message>
    <message>
        <source>B takes %1 less time on average</source>
        <translation>B 平均用时少 %1</translation>
    </message>
    <message>
        <source>B takes %1 less time on average, with other kernels</source>
        <translation>B 平均用时少 %1，但 kernel 不同</translation>
    </message>
    <message>
        <source>B takes %1 less time, with other kernels</source>
        <translation>B 用时少 %1，但 kernel 不同</translation>
    </message>
    <message>
        <source>B takes %1 more time</source>
        <translation>B 用时多 %1</translation>
    </message>
    <message>
        <source>B takes %1 more time on average</source>
        <translation>B 平均用时多 %1</translation>
    </message>
    <message>
        <source>B takes %1 more time on average, with other kernels</source>
        <translation>B 平均用时多 %1，但 kernel 不同</translation>
    </message>
    <message>
        <source>B takes %1 more time, with other kernels</source>
        <translation>B 用时多 %1，但 kernel 不同</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Bandwidth per link, from the median time without waits, as nccl-tests counts. Compare it with the link's peak, whatever the number of ranks.</source>
        <translation>每条链路的带宽，由不含等待的时间的中位数算出，与 nccl-tests 的算法相同。无论有多少个 rank，都请与链路的峰值对比。</translation>
    </message>
    <message>
        <source>Bars and the steady step cover the whole report. The range has its own column.</source>
        <translation>条和稳态步针对整份报告。该范围有单独的一列。</translation>
    </message>
    <message>
        <source>Bars are ranges on the host. A GPU step, as in GPU time, lasts from its first work to the first work of the next step. A delay in one range therefore lengthens the previous GPU step. Both mark the same outliers.</source>
        <translation>条是主机上的范围。“GPU 时间”中的 GPU 步从它的第一个工作持续到下一步的第一个工作。因此一个范围的延迟会使前一个 GPU 步变长。两者标出的离群值相同。</translation>
    </message>
    <message>
        <source>Beyond noise?</source>
        <translation>超出噪声？</translation>
    </message>
    <message>
        <source>Blame</source>
        <translation>责任</translation>
    </message>
    <message>
        <source>Block size in x, in threads</source>
        <translation>线程块的 x 大小，以线程计</translation>
    </message>
    <message>
        <source>Block size in y, in threads</source>
        <translation>线程块的 y 大小，以线程计</translation>
    </message>
    <message>
        <source>Block size in z, in threads</source>
        <translation>线程块的 z 大小，以线程计</translation>
    </message>
    <message>
        <source>Book&amp;mark</source>
        <translation>书签(&amp;M)</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Bookmark the event</source>
        <translation>给该事件添加书签</translation>
    </message>
    <message>
        <source>Bookmark the event, with a text</source>
        <translation>给该事件添加书签和文字</translation>
    </message>
    <message>
        <source>Bookmark the selected range</source>
        <translation>给选中的范围添加书签</translation>
    </message>
    <message>
        <source>Bookmark the selected range, or the middle of the view</source>
        <translation>给选中的范围或视图的中心添加书签</translation>
    </message>
    <message>
        <source>Bookmark the selected range, or the time under the pointer</source>
        <translation>给选中的范围或指针处的时间添加书签</translation>
    </message>
    <message>
        <source>Bookmark the selected range, with a text</source>
        <translation>给选中的范围添加书签和文字</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Both reports open side by side, as ranks of one run.</source>
        <translation>两份报告作为一次运行的不同 rank 并排打开。</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>时间预算</translation>
    </message>
    <message>
        <source>Bus GB/s</source>
        <translation>总线带宽 GB/s</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>忙</translation>
    </message>
    <message>
        <source>Busy share of the visible time, for each row</source>
        <translation>每一行在可见时间内忙的占比</translation>
    </message>
    <message>
        <source>By</source>
        <translation>按</translation>
    </message>
    <message>
        <source>By instance</source>
        <translation>按次序</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes divided by the median time without waits, as nccl-tests counts</source>
        <translation>字节除以不含等待的时间的中位数，与 nccl-tests 的算法相同</translation>
    </message>
    <message>
        <source>Bytes divided by time</source>
        <translation>字节除以时间</translation>
    </message>
    <message>
        <source>Bytes moved or allocated</source>
        <translation>搬运或分配的字节</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>关闭(&amp;L)</translation>
    </message>
    <message>
        <source>C&amp;ommunication</source>
        <translation>通信(&amp;O)</translation>
    </message>
    <message>
        <source>CPU samples</source>
        <translation>CPU 采样</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>CSV (*.csv);;Tab-separated values (*.tsv);;Markdown (*.md);;JSON (*.json)</source>
        <translation>CSV (*.csv);;制表符分隔值 (*.tsv);;Markdown (*.md);;JSON (*.json)</translation>
    </message>
    <message>
        <source>CUDA API</source>
        <translation>CUDA API</translation>
    </message>
    <message>
        <source>CUDA context id</source>
        <translation>CUDA 上下文 id</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA Graph</translation>
    </message>
    <message>
        <source>CUDA launches</source>
        <translation>CUDA 启动</translation>
    </message>
    <message>
        <source>CUDA stream id</source>
        <translation>CUDA 流 id</translation>
    </message>
    <message>
        <source>Cache large reports so that they open faster</source>
        <translation>缓存大的报告，使其打开更快</translation>
    </message>
    <message>
        <source>Call stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Call stacks</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cannot jump from this row: add rowid or start to the query</source>
        <translation>无法从这一行跳转：请在查询中加入 rowid 或 start</translation>
    </message>
    <message>
        <source>Cannot jump from this row: it has no time</source>
        <translation>无法从这一行跳转：它没有时间</translation>
    </message>
    <message>
        <source>Cannot write %1. Settings, bookmarks and notes are lost when Warpline closes. Free disk space, or check the permissions of the file.</source>
        <translation>无法写入 %1。Warpline 关闭时设置、书签和备注会丢失。请释放磁盘空间，或检查该文件的权限。</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Choose another folder.</source>
        <translation>无法写入 %1：%2。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>Cannot write %1: %2. Free disk space, or choose another folder.</source>
        <translation>无法写入 %1：%2。请释放磁盘空间，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Capture options</source>
        <translation>录制选项</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>Causes of lost time, the most severe first</source>
        <translation>损失时间的原因，最严重的在前</translation>
    </message>
    <message>
        <source>Caveat</source>
        <translation>注意</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Checklist</source>
        <translation>检查清单</translation>
    </message>
    <message>
        <source>Choose a change to see the expected time.</source>
        <translation>选择一项改动，可看到预计的时间。</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Choose how events are colored</source>
        <translation>选择事件的着色方式</translation>
    </message>
    <message>
        <source>Choose run B…</source>
        <translation>选择运行 B…</translation>
    </message>
    <message>
        <source>Choose several reports. Tables list their rows together, with a column for the report.</source>
        <translation>选择多份报告。表把它们的行列在一起，并有一列显示报告。</translation>
    </message>
    <message>
        <source>Choose what colors show: how long others wait for the rank, its own wait, the busy share of its GPU, or the step time</source>
        <translation>选择颜色的含义：其他 rank 等待该 rank 的时间、它自己的等待、其 GPU 忙的占比，或步时间</translation>
    </message>
    <message>
        <source>Choose which rows are shown</source>
        <translation>选择显示哪些行</translation>
    </message>
    <message>
        <source>Chrome trace</source>
        <translation>Chrome trace</translation>
    </message>
    <message>
        <source>Chrome trace (*.json)</source>
        <translation>Chrome trace (*.json)</translation>
    </message>
    <message>
        <source>Class: %1</source>
        <translation>类别：%1</translation>
    </message>
    <message>
        <source>Clear &amp;filter</source>
        <translation>清除筛选(&amp;F)</translation>
    </message>
    <message>
        <source>Clear highlights</source>
        <translation>清除突出显示</translation>
    </message>
    <message>
        <source>Clear recent files</source>
        <translation>清除最近的文件</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Clear the selection</source>
        <translation>取消选中</translation>
    </message>
    <message>
        <source>Clear the selection, or return to the timeline from a text field</source>
        <translation>取消选中，或从文本框回到时间线</translation>
    </message>
    <message>
        <source>Click or drag to list events</source>
        <translation>单击或拖动以列出事件</translation>
    </message>
    <message>
        <source>Click to highlight these events</source>
        <translation>单击可突出显示这些事件</translation>
    </message>
    <message>
        <source>Click to sort, click again to reverse.</source>
        <translation>单击排序，再次单击反向排序。</translation>
    </message>
    <message>
        <source>Clock offset</source>
        <translation>时钟偏移</translation>
    </message>
    <message>
        <source>Close B, unless both reports were open before</source>
        <translation>关闭 B（两份报告原先都已打开时除外）</translation>
    </message>
    <message>
        <source>Close all open reports</source>
        <translation>关闭所有打开的报告</translation>
    </message>
    <message>
        <source>Close the summary</source>
        <translation>关闭摘要</translation>
    </message>
    <message>
        <source>Co&amp;mpare…</source>
        <translation>对比(&amp;M)…</translation>
    </message>
    <message>
        <source>Co&amp;unters</source>
        <translation>计数器(&amp;U)</translation>
    </message>
    <message>
        <source>Collapse all below</source>
        <translation>折叠以下全部</translation>
    </message>
    <message>
        <source>Collapse the row and its children</source>
        <translation>折叠该行及其子行</translation>
    </message>
    <message>
        <source>Color</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Color by %1</source>
        <translation>按%1着色</translation>
    </message>
    <message>
        <source>Color events by duration</source>
        <translation>按时长给事件着色</translation>
    </message>
    <message>
        <source>Color events by stream or thread</source>
        <translation>按流或线程给事件着色</translation>
    </message>
    <message>
        <source>Color kernels by class, such as matrix product, attention or reduction</source>
        <translation>kernel 按类别着色，例如矩阵乘、attention 或归约</translation>
    </message>
    <message>
        <source>Color kernels, NVTX ranges and library calls by name, and copies and calls by kind</source>
        <translation>kernel、NVTX 范围和库调用按名称着色，拷贝和调用按种类着色</translation>
    </message>
    <message>
        <source>Color kernels, and copies of each direction, alike</source>
        <translation>kernel 以及各方向的拷贝使用相同颜色</translation>
    </message>
    <message>
        <source>Color of the report</source>
        <translation>报告的颜色</translation>
    </message>
    <message>
        <source>Color-&amp;blind safe colors</source>
        <translation>色盲安全的颜色(&amp;B)</translation>
    </message>
    <message>
        <source>Colors</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Combined, without overlap</source>
        <translation>合计，不含重叠</translation>
    </message>
    <message>
        <source>Comman&amp;d palette…</source>
        <translation>命令面板(&amp;D)…</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Command that starts your program</source>
        <translation>启动程序的命令</translation>
    </message>
    <message>
        <source>Command that starts your program, such as python train.py</source>
        <translation>启动程序的命令，例如 python train.py</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Communication only</source>
        <translation>只有通信</translation>
    </message>
    <message>
        <source>Compa&amp;rison…</source>
        <translation>对比(&amp;R)…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compare %1 (A, before the change) with %2 (B, after the change), or both with another file?</source>
        <translation>对比 %1（A，改动前）与 %2（B，改动后），还是把两者与另一个文件对比？</translation>
    </message>
    <message>
        <source>Compare %1 (A, before the change) with %2 (B, after the change), or open both side by side?</source>
        <translation>对比 %1（A，改动前）与 %2（B，改动后），还是把两者并排打开？</translation>
    </message>
    <message>
        <source>Compare all of this run</source>
        <translation>对比这次运行的全部</translation>
    </message>
    <message>
        <source>Compare instead</source>
        <translation>改为对比</translation>
    </message>
    <message>
        <source>Compare only the NVTX range or the selected range of this run</source>
        <translation>只对比这次运行的该 NVTX 范围或选中的范围</translation>
    </message>
    <message>
        <source>Compare only this range</source>
        <translation>只对比这个范围</translation>
    </message>
    <message>
        <source>Compare the NVTX range or the selected range with A</source>
        <translation>把该 NVTX 范围或选中的范围与 A 对比</translation>
    </message>
    <message>
        <source>Compare the open report (A) with B</source>
        <translation>把打开的报告 (A) 与 B 对比</translation>
    </message>
    <message>
        <source>Compare the open report with another run, or choose two reports</source>
        <translation>把打开的报告与另一次运行对比，或选择两份报告</translation>
    </message>
    <message>
        <source>Compare the ranks of one run</source>
        <translation>对比一次运行的各个 rank</translation>
    </message>
    <message>
        <source>Compare the t&amp;wo open reports</source>
        <translation>对比打开的两份报告(&amp;W)</translation>
    </message>
    <message>
        <source>Compare the two open reports</source>
        <translation>对比打开的两份报告</translation>
    </message>
    <message>
        <source>Compare the whole run again</source>
        <translation>重新对比整个运行</translation>
    </message>
    <message>
        <source>Compare two runs</source>
        <translation>对比两次运行</translation>
    </message>
    <message>
        <source>Compare two runs…</source>
        <translation>对比两次运行…</translation>
    </message>
    <message>
        <source>Compare with A</source>
        <translation>与 A 对比</translation>
    </message>
    <message>
        <source>Compare with A (%1)</source>
        <translation>与 A 对比（%1）</translation>
    </message>
    <message>
        <source>Compare: choose A, the run before the change, or A and B</source>
        <translation>对比：选择 A（改动前的运行），或 A 和 B</translation>
    </message>
    <message>
        <source>Compare: choose B, the run after the change</source>
        <translation>对比：选择 B（改动后的运行）</translation>
    </message>
    <message>
        <source>Comparing the ranks…</source>
        <translation>正在对比各个 rank…</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Compute and copy</source>
        <translation>计算和拷贝</translation>
    </message>
    <message>
        <source>Compute only</source>
        <translation>只有计算</translation>
    </message>
    <message>
        <source>Computes alone</source>
        <translation>单独计算</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>容器</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Conversion of %1 was cancelled.</source>
        <translation>%1 的转换已取消。</translation>
    </message>
    <message>
        <source>Converting with %1</source>
        <translation>正在用 %1 转换</translation>
    </message>
    <message>
        <source>Converting with nsys export</source>
        <translation>正在用 nsys export 转换</translation>
    </message>
    <message>
        <source>Cop&amp;y command line</source>
        <translation>复制命令行(&amp;Y)</translation>
    </message>
    <message>
        <source>Copied %1 events</source>
        <translation>已复制 %1 个事件</translation>
    </message>
    <message>
        <source>Copied 1 event</source>
        <translation>已复制 1 个事件</translation>
    </message>
    <message>
        <source>Copied the findings</source>
        <translation>已复制问题</translation>
    </message>
    <message>
        <source>Copied the findings of %1</source>
        <translation>已复制 %1 的问题</translation>
    </message>
    <message>
        <source>Copied the first %1 of %2 events. To keep all, choose File &gt; Export &gt; Events as CSV.</source>
        <translation>已复制前 %1 个事件，共 %2 个。要保留全部，请选择“文件 &gt; 导出 &gt; 事件为 CSV”。</translation>
    </message>
    <message>
        <source>Copied the first %1 of %2 rows. To keep all, save the table to a file.</source>
        <translation>已复制前 %1 行，共 %2 行。要保留全部，请将表保存到文件。</translation>
    </message>
    <message>
        <source>Copied the table</source>
        <translation>已复制表</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>Copies and memsets</source>
        <translation>拷贝和 memset</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>复制为 JSON</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy calls</source>
        <translation>拷贝调用</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Copy commands that reopen this view</source>
        <translation>复制可重新打开此视图的命令</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Copy export command</source>
        <translation>复制导出命令</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>复制名称</translation>
    </message>
    <message>
        <source>Copy ncu command</source>
        <translation>复制 ncu 命令</translation>
    </message>
    <message>
        <source>Copy only</source>
        <translation>只有拷贝</translation>
    </message>
    <message>
        <source>Copy or save the table</source>
        <translation>复制或保存表</translation>
    </message>
    <message>
        <source>Copy query</source>
        <translation>复制查询</translation>
    </message>
    <message>
        <source>Copy selected rows</source>
        <translation>复制选中的行</translation>
    </message>
    <message>
        <source>Copy stack</source>
        <translation>复制调用栈</translation>
    </message>
    <message>
        <source>Copy the command that profiles this launch with Nsight Compute</source>
        <translation>复制用 Nsight Compute 分析该次启动的命令</translation>
    </message>
    <message>
        <source>Copy the details of the event</source>
        <translation>复制该事件的详情</translation>
    </message>
    <message>
        <source>Copy the measurement, the selected range, or the event</source>
        <translation>复制测量结果、选中的范围或事件</translation>
    </message>
    <message>
        <source>Copy the name of the event</source>
        <translation>复制该事件的名称</translation>
    </message>
    <message>
        <source>Copy the selected rows of the Events panel</source>
        <translation>复制“事件”面板中选中的行</translation>
    </message>
    <message>
        <source>Copy the selection</source>
        <translation>复制选中内容</translation>
    </message>
    <message>
        <source>Copying the table …</source>
        <translation>正在复制表…</translation>
    </message>
    <message>
        <source>Correlated</source>
        <translation>关联</translation>
    </message>
    <message>
        <source>Correlation id, shared by a call and the GPU work it launches</source>
        <translation>关联 id，由调用和它启动的 GPU 工作共用</translation>
    </message>
    <message>
        <source>Could save</source>
        <translation>可节省</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Counter</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Ctrl+click</source>
        <translation>Ctrl+单击</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色主题</translation>
    </message>
    <message>
        <source>Decrease row height</source>
        <translation>减小行高</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Describe this place</source>
        <translation>描述此处</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Details of the selected event or range</source>
        <translation>选中的事件或范围的详情</translation>
    </message>
    <message>
        <source>Detect steps automatically</source>
        <translation>自动检测步</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>Device to device</source>
        <translation>DtoD 拷贝</translation>
    </message>
    <message>
        <source>Device to host</source>
        <translation>DtoH 拷贝</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Difference (ns)</source>
        <translation>差值 (ns)</translation>
    </message>
    <message>
        <source>Differences of two runs: kernels, calls, findings, steps, nsys tables</source>
        <translation>两次运行的差异：kernel、调用、问题、步、nsys 表</translation>
    </message>
    <message>
        <source>Different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>Direction</source>
        <translation>方向</translation>
    </message>
    <message>
        <source>Direction: H is the host, D a device</source>
        <translation>方向：H 是主机，D 是设备</translation>
    </message>
    <message>
        <source>Directly from the pages of the file.</source>
        <translation>直接读取文件的页。</translation>
    </message>
    <message>
        <source>Documentation</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Double-click to go to the longest event of a group</source>
        <translation>双击可转到该组中最长的事件</translation>
    </message>
    <message>
        <source>Double-click, middle click</source>
        <translation>双击、中键单击</translation>
    </message>
    <message>
        <source>Draw steps of both runs at equal length, or to scale</source>
        <translation>等长绘制两次运行的步，或按比例绘制</translation>
    </message>
    <message>
        <source>Draw the steps of A and B at equal length, or to scale</source>
        <translation>等长绘制 A 和 B 的步，或按比例绘制</translation>
    </message>
    <message>
        <source>Due to count %1, due to duration %2</source>
        <translation>因次数 %1，因时长 %2</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>时长</translation>
    </message>
    <message>
        <source>Duration: &gt; 10us</source>
        <translation>时长：&gt; 10us</translation>
    </message>
    <message>
        <source>Durations of all events with the name of the selected one</source>
        <translation>与选中事件同名的所有事件的时长</translation>
    </message>
    <message>
        <source>Durations of kernels, copies and memsets</source>
        <translation>kernel、拷贝和 memset 的时长</translation>
    </message>
    <message>
        <source>Durations of the events</source>
        <translation>事件的时长</translation>
    </message>
    <message>
        <source>Durations of the events in this row</source>
        <translation>该行中事件的时长</translation>
    </message>
    <message>
        <source>Durations of the selected events</source>
        <translation>选中的事件的时长</translation>
    </message>
    <message>
        <source>Durations over time</source>
        <translation>时长随时间的变化</translation>
    </message>
    <message>
        <source>Durations over time, or by instance</source>
        <translation>时长随时间的变化，或按次序</translation>
    </message>
    <message>
        <source>Dynamic shared memory per block</source>
        <translation>每个线程块的动态共享内存</translation>
    </message>
    <message>
        <source>E&amp;nd the comparison</source>
        <translation>结束对比(&amp;N)</translation>
    </message>
    <message>
        <source>Each bar is the mean of %1 steps</source>
        <translation>每条为 %1 步的平均值</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文字</translation>
    </message>
    <message>
        <source>Editor</source>
        <translation>编辑器</translation>
    </message>
    <message>
        <source>Enclosing event, or row above</source>
        <translation>外层事件或上一行</translation>
    </message>
    <message>
        <source>End, on the report's clock</source>
        <translation>结束时间，按报告的时钟</translation>
    </message>
    <message>
        <source>Enter a number to correct the detected rank. Leave empty to use it.</source>
        <translation>输入数字以更正检测到的 rank。留空则使用检测到的值。</translation>
    </message>
    <message>
        <source>Enter to run, Esc to close</source>
        <translation>Enter 运行，Esc 关闭</translation>
    </message>
    <message>
        <source>Equal steps</source>
        <translation>等长的步</translation>
    </message>
    <message>
        <source>Evaluating …</source>
        <translation>正在分析…</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Event %1 of %2</source>
        <translation>第 %1 个事件，共 %2 个</translation>
    </message>
    <message>
        <source>Event kinds to search</source>
        <translation>要搜索的事件种类</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>Events of all rows: no filter describes the chosen rows.</source>
        <translation>所有行的事件：没有筛选条件能描述所选的行。</translation>
    </message>
    <message>
        <source>Events of the selected rows and range</source>
        <translation>选中的行和范围的事件</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Evidence %1 of %2</source>
        <translation>第 %1 个依据，共 %2 个</translation>
    </message>
    <message>
        <source>Evidence %1 of the %2 longest</source>
        <translation>第 %1 个依据（最长的 %2 个之中）</translation>
    </message>
    <message>
        <source>Evidence (%1)</source>
        <translation>依据 (%1)</translation>
    </message>
    <message>
        <source>Evidence: the %1 longest of %2</source>
        <translation>依据：%2 个中最长的 %1 个</translation>
    </message>
    <message>
        <source>Exact name</source>
        <translation>名称完全相同</translation>
    </message>
    <message>
        <source>Example queries</source>
        <translation>示例查询</translation>
    </message>
    <message>
        <source>Exchanges</source>
        <translation>数据交换</translation>
    </message>
    <message>
        <source>Expand all below</source>
        <translation>展开以下全部</translation>
    </message>
    <message>
        <source>Expand the row and its children</source>
        <translation>展开该行及其子行</translation>
    </message>
    <message>
        <source>Expected saving, from a replay of the steps: %1 (%2 to %3).</source>
        <translation>重放各步得出的预计节省时间：%1（%2 到 %3）。</translation>
    </message>
    <message>
        <source>Expected step time after a change</source>
        <translation>改动之后预计的步时间</translation>
    </message>
    <message>
        <source>Explain rows, bars and gaps with pictures</source>
        <translation>用图片解释行、条和空隙</translation>
    </message>
    <message>
        <source>Explain the colors below the rows</source>
        <translation>在行的下方说明颜色</translation>
    </message>
    <message>
        <source>Explain the finding, event, row, table or panel in use</source>
        <translation>解释正在使用的问题、事件、行、表或面板</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export a Chrome trace</source>
        <translation>导出 Chrome trace</translation>
    </message>
    <message>
        <source>Export a part of the report</source>
        <translation>导出报告的一部分</translation>
    </message>
    <message>
        <source>Export a range as a smaller report, with private data removed if you want</source>
        <translation>把一个范围导出为较小的报告，可选择去除隐私数据</translation>
    </message>
    <message>
        <source>Export events as JSON for Perfetto</source>
        <translation>把事件导出为供 Perfetto 使用的 JSON</translation>
    </message>
    <message>
        <source>Export was cancelled.</source>
        <translation>导出已取消。</translation>
    </message>
    <message>
        <source>Exported by</source>
        <translation>导出工具</translation>
    </message>
    <message>
        <source>Exports (*.sqlite)</source>
        <translation>导出 (*.sqlite)</translation>
    </message>
    <message>
        <source>Exposed wait</source>
        <translation>暴露的等待</translation>
    </message>
    <message>
        <source>F&amp;ind</source>
        <translation>查找(&amp;I)</translation>
    </message>
    <message>
        <source>FLOP per byte of memory traffic</source>
        <translation>每字节访存的 FLOP 数</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>FLOPs of the operator that launched the kernel, in proportion to the kernel's share of the operator's time. Masked elements are not counted.</source>
        <translation>启动该 kernel 的算子的 FLOP 数，按该 kernel 占算子时间的比例计算。被掩码的元素不计入。</translation>
    </message>
    <message>
        <source>Fact</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>Factor for the time of these kernels. 0 removes them.</source>
        <translation>这些 kernel 的时间的倍数。0 表示去掉它们。</translation>
    </message>
    <message>
        <source>Facts</source>
        <translation>事实</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File not found</source>
        <translation>找不到文件</translation>
    </message>
    <message>
        <source>Filter Events</source>
        <translation>筛选“事件”</translation>
    </message>
    <message>
        <source>Filter by NVTX range or expression</source>
        <translation>按 NVTX 范围或表达式筛选</translation>
    </message>
    <message>
        <source>Filter results</source>
        <translation>筛选结果</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>筛选行</translation>
    </message>
    <message>
        <source>Filter rows by name; Ctrl+Enter pins the matches</source>
        <translation>按名称筛选行；Ctrl+Enter 固定匹配的行</translation>
    </message>
    <message>
        <source>Filter the events of this name</source>
        <translation>筛选同名的事件</translation>
    </message>
    <message>
        <source>Filter: a part of a name, dur&gt;50us, stream=7 …</source>
        <translation>筛选：名称的一部分、dur&gt;50us、stream=7 …</translation>
    </message>
    <message>
        <source>Filter: stream=7 grid&gt;100 …</source>
        <translation>筛选：stream=7 grid&gt;100 …</translation>
    </message>
    <message>
        <source>Find an event by name</source>
        <translation>按名称查找事件</translation>
    </message>
    <message>
        <source>Find an event by name (%1)</source>
        <translation>按名称查找事件 (%1)</translation>
    </message>
    <message>
        <source>Find and go to</source>
        <translation>查找和转到</translation>
    </message>
    <message>
        <source>Find events by a part of the name or a /regular expression/</source>
        <translation>按名称的一部分或 /正则表达式/ 查找事件</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>查找下一个(&amp;X)</translation>
    </message>
    <message>
        <source>Find p&amp;revious</source>
        <translation>查找上一个(&amp;R)</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Finding. Findings with the same cause are listed below it.</source>
        <translation>问题。原因相同的问题列在它的下方。</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Findings and checklist cover the selected rows. Everything else covers all GPUs and processes.</source>
        <translation>问题和检查清单针对选中的行。其余针对所有 GPU 和进程。</translation>
    </message>
    <message>
        <source>Findings…</source>
        <translation>问题…</translation>
    </message>
    <message>
        <source>First ten rows</source>
        <translation>前十行</translation>
    </message>
    <message>
        <source>Five questions to ask of every profile, with answers</source>
        <translation>对每次分析都应提出的五个问题及其答案</translation>
    </message>
    <message>
        <source>Fixed: %1</source>
        <translation>已修复：%1</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Follow the desktop theme</source>
        <translation>跟随桌面主题</translation>
    </message>
    <message>
        <source>For %1 of %2 matrix products, tiles and grids bound the size of the result. See Details of a kernel.</source>
        <translation>%2 次矩阵乘中有 %1 次，结果的大小由 tile 和 grid 限定。请看 kernel 的详情。</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Found by</source>
        <translation>识别依据</translation>
    </message>
    <message>
        <source>From %1 to %2 points</source>
        <translation>从 %1 到 %2 pt</translation>
    </message>
    <message>
        <source>From &amp;zero</source>
        <translation>从零开始(&amp;Z)</translation>
    </message>
    <message>
        <source>From other threads</source>
        <translation>来自其他线程</translation>
    </message>
    <message>
        <source>From the &amp;lowest value</source>
        <translation>从最小值开始(&amp;L)</translation>
    </message>
    <message>
        <source>From the first to the last GPU work. The run has no two whole steps.</source>
        <translation>从第一个到最后一个 GPU 工作。这次运行没有两个完整的步。</translation>
    </message>
    <message>
        <source>From the first to the last GPU work:</source>
        <translation>从第一个到最后一个 GPU 工作：</translation>
    </message>
    <message>
        <source>Functions first, with their callers below</source>
        <translation>函数在前，调用者在下</translation>
    </message>
    <message>
        <source>Further potential savings of findings that rank lower. Each finding explains why.</source>
        <translation>排名较后的问题的其他可节省时间。每个问题说明了原因。</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>GPU %1, host %2</source>
        <translation>GPU %1，主机 %2</translation>
    </message>
    <message>
        <source>GPU busy</source>
        <translation>GPU 忙</translation>
    </message>
    <message>
        <source>GPU computing %1</source>
        <translation>GPU 计算 %1</translation>
    </message>
    <message>
        <source>GPU idle %1</source>
        <translation>GPU 空闲 %1</translation>
    </message>
    <message>
        <source>GPU idle for %1</source>
        <translation>GPU 空闲 %1</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>GPU memory use</source>
        <translation>显存用量</translation>
    </message>
    <message>
        <source>GPU metrics</source>
        <translation>GPU 指标</translation>
    </message>
    <message>
        <source>GPU metrics during this event</source>
        <translation>该事件期间的 GPU 指标</translation>
    </message>
    <message>
        <source>GPU only communicating %1</source>
        <translation>GPU 只在通信 %1</translation>
    </message>
    <message>
        <source>GPU only copying %1</source>
        <translation>GPU 只在拷贝 %1</translation>
    </message>
    <message>
        <source>GPU or process</source>
        <translation>GPU 或进程</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU 时间</translation>
    </message>
    <message>
        <source>GPU time of steps</source>
        <translation>步的 GPU 时间</translation>
    </message>
    <message>
        <source>GPU work</source>
        <translation>GPU 工作</translation>
    </message>
    <message>
        <source>GPU work launched in this range</source>
        <translation>该范围内启动的 GPU 工作</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Gap %1</source>
        <translation>空隙 %1</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>空隙</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Get the command that records what you want to know</source>
        <translation>得到录制所需内容的命令</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>术语表</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Go back in the inspector</source>
        <translation>在检查器中后退</translation>
    </message>
    <message>
        <source>Go back to the previous view</source>
        <translation>回到上一个视图</translation>
    </message>
    <message>
        <source>Go forward in the inspector</source>
        <translation>在检查器中前进</translation>
    </message>
    <message>
        <source>Go forward to the next view</source>
        <translation>前往下一个视图</translation>
    </message>
    <message>
        <source>Go from a launch to its work, from work to its wait, or from an NVTX range to the GPU</source>
        <translation>从启动转到其工作，从工作转到等待它的调用，或从 NVTX 范围转到 GPU</translation>
    </message>
    <message>
        <source>Go from a wait to its work, from work to its launch, or from an NVTX range to the host</source>
        <translation>从等待转到其工作，从工作转到其启动，或从 NVTX 范围转到主机</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Go to a r&amp;ow…</source>
        <translation>转到行(&amp;O)…</translation>
    </message>
    <message>
        <source>Go to a row</source>
        <translation>转到行</translation>
    </message>
    <message>
        <source>Go to event</source>
        <translation>转到事件</translation>
    </message>
    <message>
        <source>Go to the next bookmark</source>
        <translation>转到下一个书签</translation>
    </message>
    <message>
        <source>Go to the next match</source>
        <translation>转到下一个匹配</translation>
    </message>
    <message>
        <source>Go to the previous bookmark</source>
        <translation>转到上一个书签</translation>
    </message>
    <message>
        <source>Go to the previous match</source>
        <translation>转到上一个匹配</translation>
    </message>
    <message>
        <source>Grid size in x, in blocks</source>
        <translation>grid 的 x 大小，以线程块计</translation>
    </message>
    <message>
        <source>Grid size in y, in blocks</source>
        <translation>grid 的 y 大小，以线程块计</translation>
    </message>
    <message>
        <source>Grid size in z, in blocks</source>
        <translation>grid 的 z 大小，以线程块计</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>Group events by the NVTX ranges around them</source>
        <translation>按事件外围的 NVTX 范围分组</translation>
    </message>
    <message>
        <source>Hatched: waits for the last rank. Plain: transfer.</source>
        <translation>斜线：等待最后一个 rank。纯色：传输。</translation>
    </message>
    <message>
        <source>Height of the bars</source>
        <translation>条的高度</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Helps you keep your place. Off when your system disables animations.</source>
        <translation>帮助保持位置感。系统关闭动画时不使用。</translation>
    </message>
    <message>
        <source>Hi&amp;de row</source>
        <translation>隐藏行(&amp;D)</translation>
    </message>
    <message>
        <source>Hide host, command line and program output</source>
        <translation>隐藏主机、命令行和程序输出</translation>
    </message>
    <message>
        <source>Hide rows and lanes without events in view</source>
        <translation>隐藏视图内没有事件的行和泳道</translation>
    </message>
    <message>
        <source>Hide the row and its children</source>
        <translation>隐藏该行及其子行</translation>
    </message>
    <message>
        <source>Hide this message</source>
        <translation>隐藏此消息</translation>
    </message>
    <message>
        <source>Hide warm-up steps</source>
        <translation>隐藏预热步</translation>
    </message>
    <message>
        <source>High contrast, dark</source>
        <translation>高对比度，深色</translation>
    </message>
    <message>
        <source>High contrast, light</source>
        <translation>高对比度，浅色</translation>
    </message>
    <message>
        <source>Highlight all events of this name; repeat to clear</source>
        <translation>突出显示同名的所有事件；再次操作则取消</translation>
    </message>
    <message>
        <source>Highlight all events with the name of the one under the pointer; repeat to clear</source>
        <translation>突出显示与指针处事件同名的所有事件；再次操作则取消</translation>
    </message>
    <message>
        <source>Highlight all with this name</source>
        <translation>突出显示所有同名事件</translation>
    </message>
    <message>
        <source>Highlight the events of this name</source>
        <translation>突出显示同名的事件</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Host ranges</source>
        <translation>主机范围</translation>
    </message>
    <message>
        <source>Host to device</source>
        <translation>HtoD 拷贝</translation>
    </message>
    <message>
        <source>How close each operator is to the memory and compute limits of the GPU</source>
        <translation>每个算子离 GPU 的计算和显存极限有多近</translation>
    </message>
    <message>
        <source>How each GPU spends its time</source>
        <translation>每个 GPU 的时间用在哪里</translation>
    </message>
    <message>
        <source>How events are grouped</source>
        <translation>事件的分组方式</translation>
    </message>
    <message>
        <source>How long the events of A and B take</source>
        <translation>A 和 B 的事件耗时</translation>
    </message>
    <message>
        <source>How the tables were read</source>
        <translation>表的读取方式</translation>
    </message>
    <message>
        <source>How to &amp;read a timeline</source>
        <translation>如何阅读时间线(&amp;R)</translation>
    </message>
    <message>
        <source>How to read a timeline</source>
        <translation>如何阅读时间线</translation>
    </message>
    <message>
        <source>I&amp;nspector</source>
        <translation>检查器(&amp;N)</translation>
    </message>
    <message>
        <source>Id of the enclosing range</source>
        <translation>外层范围的 id</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>Idle time by host activity: %1</source>
        <translation>按主机活动划分的空闲时间：%1</translation>
    </message>
    <message>
        <source>Idle: %1</source>
        <translation>空闲：%1</translation>
    </message>
    <message>
        <source>Idle: %1 in %2</source>
        <translation>空闲：%1，在 %2 中</translation>
    </message>
    <message>
        <source>Idle: other causes</source>
        <translation>空闲：其他原因</translation>
    </message>
    <message>
        <source>Ids of the enclosing ranges, outermost first</source>
        <translation>各外层范围的 id，最外层在前</translation>
    </message>
    <message>
        <source>In range</source>
        <translation>范围内总计</translation>
    </message>
    <message>
        <source>In&amp;spector forward</source>
        <translation>检查器前进(&amp;S)</translation>
    </message>
    <message>
        <source>Increase row height</source>
        <translation>增加行高</translation>
    </message>
    <message>
        <source>Innermost first</source>
        <translation>最内层在前</translation>
    </message>
    <message>
        <source>Inspector bac&amp;k</source>
        <translation>检查器后退(&amp;K)</translation>
    </message>
    <message>
        <source>Interval</source>
        <translation>区间</translation>
    </message>
    <message>
        <source>Invalid filter</source>
        <translation>筛选无效</translation>
    </message>
    <message>
        <source>JSON for Perfetto (ui.perfetto.dev) and chrome://tracing. Events at its edges stay whole.</source>
        <translation>供 Perfetto (ui.perfetto.dev) 和 chrome://tracing 使用的 JSON。边缘的事件保持完整。</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Keep the colors that the program gave its NVTX ranges</source>
        <translation>保留程序给 NVTX 范围设置的颜色</translation>
    </message>
    <message>
        <source>Keep the row at the top</source>
        <translation>让该行一直显示在顶部</translation>
    </message>
    <message>
        <source>Keep this name when the selection changes</source>
        <translation>选中内容改变时保留此名称</translation>
    </message>
    <message>
        <source>Kernel &amp;class</source>
        <translation>kernel 类别(&amp;C)</translation>
    </message>
    <message>
        <source>Kernel efficiency</source>
        <translation>kernel 效率</translation>
    </message>
    <message>
        <source>Kernel name</source>
        <translation>kernel 名称</translation>
    </message>
    <message>
        <source>Kernel names: by NVTX range</source>
        <translation>kernel 名称：按 NVTX 范围</translation>
    </message>
    <message>
        <source>Kernel names: by NVTX range, mangled</source>
        <translation>kernel 名称：按 NVTX 范围，修饰名</translation>
    </message>
    <message>
        <source>Kernel names: by NVTX range, short</source>
        <translation>kernel 名称：按 NVTX 范围，简短</translation>
    </message>
    <message>
        <source>Kernel names: full</source>
        <translation>kernel 名称：完整</translation>
    </message>
    <message>
        <source>Kernel names: mangled</source>
        <translation>kernel 名称：修饰名</translation>
    </message>
    <message>
        <source>Kernel names: short</source>
        <translation>kernel 名称：简短</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>kernel</translation>
    </message>
    <message>
        <source>Kernels of CUDA graphs</source>
        <translation>CUDA Graph 的 kernel</translation>
    </message>
    <message>
        <source>Kernels that change: a name with * and ? as wildcards.</source>
        <translation>要改变的 kernel：名称，可使用通配符 * 和 ?。</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>种类</translation>
    </message>
    <message>
        <source>Kind of event: kernel, copy, API call, NVTX range</source>
        <translation>事件的种类：kernel、拷贝、API 调用、NVTX 范围</translation>
    </message>
    <message>
        <source>Kind of stacks</source>
        <translation>栈的种类</translation>
    </message>
    <message>
        <source>Kinds of events in the file</source>
        <translation>文件中的事件种类</translation>
    </message>
    <message>
        <source>Lanes below this line are thin. Drag the line down to see more of them in full. Drag the row's lower edge to make thin lanes higher.</source>
        <translation>这条线以下的泳道很窄。向下拖动这条线可完整显示更多泳道。拖动行的下边缘可增高很窄的泳道。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Last in</source>
        <translation>最后到达</translation>
    </message>
    <message>
        <source>Launch</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Launch calls</source>
        <translation>启动调用</translation>
    </message>
    <message>
        <source>Left drag</source>
        <translation>左键拖动</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Length of each step of A and B on the GPU</source>
        <translation>A 和 B 每一步在 GPU 上的长度</translation>
    </message>
    <message>
        <source>Length of the range</source>
        <translation>范围的长度</translation>
    </message>
    <message>
        <source>Libraries</source>
        <translation>库</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>浅色主题</translation>
    </message>
    <message>
        <source>List keys and mouse gestures</source>
        <translation>列出按键和鼠标手势</translation>
    </message>
    <message>
        <source>List matches in &amp;Events</source>
        <translation>在“事件”中列出匹配(&amp;E)</translation>
    </message>
    <message>
        <source>List row in Events</source>
        <translation>在“事件”中列出该行</translation>
    </message>
    <message>
        <source>List the events in this CUDA context</source>
        <translation>列出该 CUDA 上下文中的事件</translation>
    </message>
    <message>
        <source>List the events of the row</source>
        <translation>列出该行的事件</translation>
    </message>
    <message>
        <source>List the events of this kind</source>
        <translation>列出同种类的事件</translation>
    </message>
    <message>
        <source>List the events of this name</source>
        <translation>列出同名的事件</translation>
    </message>
    <message>
        <source>List the events of this process</source>
        <translation>列出该进程的事件</translation>
    </message>
    <message>
        <source>List the events on this stream</source>
        <translation>列出该流上的事件</translation>
    </message>
    <message>
        <source>List the events on this thread</source>
        <translation>列出该线程上的事件</translation>
    </message>
    <message>
        <source>List the matching events in the Events panel</source>
        <translation>在“事件”面板中列出匹配的事件</translation>
    </message>
    <message>
        <source>Loga&amp;rithmic</source>
        <translation>对数(&amp;R)</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Longest gap</source>
        <translation>最长空隙</translation>
    </message>
    <message>
        <source>Longest idle gap in the row</source>
        <translation>该行中最长的空闲空隙</translation>
    </message>
    <message>
        <source>Look up terms used in Warpline</source>
        <translation>查找 Warpline 使用的术语</translation>
    </message>
    <message>
        <source>M&amp;y rows</source>
        <translation>我的行(&amp;Y)</translation>
    </message>
    <message>
        <source>MFU of this range %1</source>
        <translation>该范围的 MFU %1</translation>
    </message>
    <message>
        <source>Machine and recording</source>
        <translation>机器和录制</translation>
    </message>
    <message>
        <source>Matched by</source>
        <translation>匹配依据</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配数</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Mean of %1 of %2 steady steps (%3). All are too many for a replay.</source>
        <translation>%2 个稳态步中 %1 个的平均 (%3)。全部步对一次重放来说太多。</translation>
    </message>
    <message>
        <source>Mean of %1 steady steps (%2)</source>
        <translation>%1 个稳态步的平均 (%2)</translation>
    </message>
    <message>
        <source>Mean of %1.</source>
        <translation>%1 的平均。</translation>
    </message>
    <message>
        <source>Mean. Events that the range cuts count with their whole duration.</source>
        <translation>平均值。被时间范围截断的事件按其完整时长计入。</translation>
    </message>
    <message>
        <source>Mean: total divided by count</source>
        <translation>平均：总和除以次数</translation>
    </message>
    <message>
        <source>Measure from the selected event to this one</source>
        <translation>测量从选中的事件到这个事件</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Median: half are shorter, half are longer</source>
        <translation>中位数：一半更短，一半更长</translation>
    </message>
    <message>
        <source>Memory and pages</source>
        <translation>内存和页</translation>
    </message>
    <message>
        <source>Memory kind of the destination</source>
        <translation>目标的内存种类</translation>
    </message>
    <message>
        <source>Memory kind of the source</source>
        <translation>源的内存种类</translation>
    </message>
    <message>
        <source>Memset</source>
        <translation>memset</translation>
    </message>
    <message>
        <source>Metric or counter</source>
        <translation>指标或计数器</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Minimap</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>More in:</source>
        <translation>更多内容：</translation>
    </message>
    <message>
        <source>More: names, ids, row of the report</source>
        <translation>更多：名称、id、报告中的行</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Move and zoom</source>
        <translation>移动和缩放</translation>
    </message>
    <message>
        <source>Move focus to the next pane</source>
        <translation>把焦点移到下一个窗格</translation>
    </message>
    <message>
        <source>Move focus to the previous pane</source>
        <translation>把焦点移到上一个窗格</translation>
    </message>
    <message>
        <source>Move row down</source>
        <translation>下移行</translation>
    </message>
    <message>
        <source>Move row up</source>
        <translation>上移行</translation>
    </message>
    <message>
        <source>My rows</source>
        <translation>我的行</translation>
    </message>
    <message>
        <source>NULL: no value</source>
        <translation>NULL：没有值</translation>
    </message>
    <message>
        <source>NVTX</source>
        <translation>NVTX</translation>
    </message>
    <message>
        <source>NVTX range of a step</source>
        <translation>作为步的 NVTX 范围</translation>
    </message>
    <message>
        <source>NVTX range of a step, such as step_* (leave empty to detect)</source>
        <translation>作为步的 NVTX 范围，例如 step_*（留空则自动检测）</translation>
    </message>
    <message>
        <source>NVTX range or event</source>
        <translation>NVTX 范围或事件</translation>
    </message>
    <message>
        <source>NVTX range, such as step_*</source>
        <translation>NVTX 范围，例如 step_*</translation>
    </message>
    <message>
        <source>NVTX ranges</source>
        <translation>NVTX 范围</translation>
    </message>
    <message>
        <source>NVTX ranges in their &amp;own colors</source>
        <translation>NVTX 范围使用自身颜色(&amp;O)</translation>
    </message>
    <message>
        <source>NVTX tree</source>
        <translation>NVTX 树</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the NVTX range that is a step, with * and ?. Applies to all panels.</source>
        <translation>作为步的 NVTX 范围的名称，可使用 * 和 ?。适用于所有面板。</translation>
    </message>
    <message>
        <source>Name of the event in the report</source>
        <translation>报告中事件的名称</translation>
    </message>
    <message>
        <source>Name of the row:</source>
        <translation>行的名称：</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Navigation</source>
        <translation>导航</translation>
    </message>
    <message>
        <source>Ne&amp;xt pane</source>
        <translation>下一个窗格(&amp;X)</translation>
    </message>
    <message>
        <source>Nearest limit: compute, memory or launch</source>
        <translation>最近的极限：计算、访存或启动</translation>
    </message>
    <message>
        <source>Nested event, or row below</source>
        <translation>内层事件或下一行</translation>
    </message>
    <message>
        <source>Nesting depth; 0 is outermost</source>
        <translation>嵌套深度；0 为最外层</translation>
    </message>
    <message>
        <source>Next boo&amp;kmark</source>
        <translation>下一个书签(&amp;K)</translation>
    </message>
    <message>
        <source>Next event in row</source>
        <translation>行中的下一个事件</translation>
    </message>
    <message>
        <source>Next evidence</source>
        <translation>下一个依据</translation>
    </message>
    <message>
        <source>Next linked event</source>
        <translation>下一个关联事件</translation>
    </message>
    <message>
        <source>Next s&amp;tep of both runs</source>
        <translation>两次运行的下一步(&amp;T)</translation>
    </message>
    <message>
        <source>Next step of both runs</source>
        <translation>两次运行的下一步</translation>
    </message>
    <message>
        <source>No GPU work in this range</source>
        <translation>该范围内没有 GPU 工作</translation>
    </message>
    <message>
        <source>No GPU work in this report.</source>
        <translation>报告中没有 GPU 工作。</translation>
    </message>
    <message>
        <source>No GPU work recorded</source>
        <translation>没有录制到 GPU 工作</translation>
    </message>
    <message>
        <source>No GPU work was launched inside %1.</source>
        <translation>%1 中没有启动 GPU 工作。</translation>
    </message>
    <message>
        <source>No NVTX range repeats in this report.</source>
        <translation>这份报告中没有重复的 NVTX 范围。</translation>
    </message>
    <message>
        <source>No change</source>
        <translation>没有改动</translation>
    </message>
    <message>
        <source>No copies in this range</source>
        <translation>该范围内没有拷贝</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>No difference beyond the noise</source>
        <translation>没有超出噪声的差异</translation>
    </message>
    <message>
        <source>No editor is set. Set its command in Preferences.</source>
        <translation>没有设置编辑器。请在“首选项”中设置其命令。</translation>
    </message>
    <message>
        <source>No events in the selection match the filter. Press Esc in the timeline to clear the selection.</source>
        <translation>选中内容中没有事件与筛选匹配。在时间线中按 Esc 可取消选中。</translation>
    </message>
    <message>
        <source>No events in this range</source>
        <translation>该范围内没有事件</translation>
    </message>
    <message>
        <source>No events in this range.</source>
        <translation>该范围内没有事件。</translation>
    </message>
    <message>
        <source>No events in this range. Press Esc in the timeline to clear it.</source>
        <translation>该范围内没有事件。在时间线中按 Esc 可取消范围。</translation>
    </message>
    <message>
        <source>No events match the filter.</source>
        <translation>没有事件与筛选匹配。</translation>
    </message>
    <message>
        <source>No events match the selection and the filter.</source>
        <translation>没有事件与选中内容和筛选匹配。</translation>
    </message>
    <message>
        <source>No events of this name match the filter.</source>
        <translation>没有同名事件与筛选匹配。</translation>
    </message>
    <message>
        <source>No findings across the ranks.</source>
        <translation>没有跨 rank 的问题。</translation>
    </message>
    <message>
        <source>No findings.</source>
        <translation>没有问题。</translation>
    </message>
    <message>
        <source>No kernel of the replayed time is named %1. Did you mean %2?</source>
        <translation>重放的时间中没有名为 %1 的 kernel。是否指 %2？</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>没有匹配</translation>
    </message>
    <message>
        <source>No match in A, %1 in B</source>
        <translation>A 中没有匹配，B 中有 %1 个</translation>
    </message>
    <message>
        <source>No matches.</source>
        <translation>没有匹配。</translation>
    </message>
    <message>
        <source>No more than %1 bookmarks are kept. Remove some first.</source>
        <translation>最多保留 %1 个书签。先移除一些。</translation>
    </message>
    <message>
        <source>No more than %1 reports can be open: later ones are left out.</source>
        <translation>最多可打开 %1 个报告：其余的被略去。</translation>
    </message>
    <message>
        <source>No more than a megabyte of notes is kept.</source>
        <translation>笔记最多保留 1 MB。</translation>
    </message>
    <message>
        <source>No operator launches GPU work in this range.</source>
        <translation>该范围内没有启动 GPU 工作的算子。</translation>
    </message>
    <message>
        <source>No operator of the selected rows launches GPU work.</source>
        <translation>选中的行没有启动 GPU 工作的算子。</translation>
    </message>
    <message>
        <source>No report is open.</source>
        <translation>没有打开的报告。</translation>
    </message>
    <message>
        <source>No result contains the search text.</source>
        <translation>没有结果包含搜索文本。</translation>
    </message>
    <message>
        <source>No result has a time in whole nanoseconds.</source>
        <translation>没有结果含有以整纳秒计的时间。</translation>
    </message>
    <message>
        <source>No results yet.</source>
        <translation>还没有结果。</translation>
    </message>
    <message>
        <source>No row matches “%1”.</source>
        <translation>没有行与“%1”匹配。</translation>
    </message>
    <message>
        <source>No rows</source>
        <translation>没有行</translation>
    </message>
    <message>
        <source>No rows in this scope</source>
        <translation>该范围内没有行</translation>
    </message>
    <message>
        <source>No stacks in this range</source>
        <translation>该范围内没有栈</translation>
    </message>
    <message>
        <source>No stacks were recorded. Record with nsys profile --sample=process-tree, or add NVTX ranges to the program.</source>
        <translation>没有录制到栈。请用 nsys profile --sample=process-tree 录制，或在程序中加入 NVTX 范围。</translation>
    </message>
    <message>
        <source>No steps found. The parts are those of the range.</source>
        <translation>没有找到步。各部分针对该范围。</translation>
    </message>
    <message>
        <source>No steps found. These NVTX ranges repeat: %1. Enter one above.</source>
        <translation>没有找到步。以下 NVTX 范围重复出现：%1。请在上方输入其中一个。</translation>
    </message>
    <message>
        <source>No steps were found in these reports.</source>
        <translation>这些报告中没有找到步。</translation>
    </message>
    <message>
        <source>No table to export yet.</source>
        <translation>还没有可导出的表格。</translation>
    </message>
    <message>
        <source>No verdict</source>
        <translation>没有结论</translation>
    </message>
    <message>
        <source>Noise: up to %1.</source>
        <translation>噪声：最多 %1。</translation>
    </message>
    <message>
        <source>Not applicable here: %1</source>
        <translation>此处不适用：%1</translation>
    </message>
    <message>
        <source>Not comparable</source>
        <translation>无法对比</translation>
    </message>
    <message>
        <source>Not included: uncertain findings</source>
        <translation>未包括：不确定的问题</translation>
    </message>
    <message>
        <source>Not open: %1</source>
        <translation>未打开：%1</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Notes, saved with bookmarks and shown first in shared reports</source>
        <translation>与书签一起保存、在分享的报告中最先显示的笔记</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>没有发现问题</translation>
    </message>
    <message>
        <source>Nothing in the replayed time matches the change.</source>
        <translation>重放的时间中没有与该改动匹配的内容。</translation>
    </message>
    <message>
        <source>Nothing in the report waits for %1.</source>
        <translation>报告中没有等待 %1 的调用。</translation>
    </message>
    <message>
        <source>Nothing in the selected range and rows. Press Esc to clear them.</source>
        <translation>选中的范围和行中没有内容。按 Esc 可取消。</translation>
    </message>
    <message>
        <source>Nothing is filtered.</source>
        <translation>未应用筛选。</translation>
    </message>
    <message>
        <source>Nothing is linked after %1.</source>
        <translation>%1 之后没有关联的事件。</translation>
    </message>
    <message>
        <source>Nothing is linked before %1.</source>
        <translation>%1 之前没有关联的事件。</translation>
    </message>
    <message>
        <source>Nothing to replay: the report has no GPU work with launches, or its steps are too large.</source>
        <translation>没有可重放的内容：报告中没有带启动的 GPU 工作，或其步太大。</translation>
    </message>
    <message>
        <source>Nothing to replay: the selected rows have no GPU work with launches.</source>
        <translation>没有可重放的内容：选中的行没有带启动的 GPU 工作。</translation>
    </message>
    <message>
        <source>Nsight Systems (nsys)</source>
        <translation>Nsight Systems (nsys)</translation>
    </message>
    <message>
        <source>Nsight Systems before 2021.5</source>
        <translation>2021.5 之前的 Nsight Systems</translation>
    </message>
    <message>
        <source>Number of NVTX ranges</source>
        <translation>NVTX 范围数</translation>
    </message>
    <message>
        <source>Number of analyzed steps</source>
        <translation>参与分析的步数</translation>
    </message>
    <message>
        <source>Number of calls</source>
        <translation>调用次数</translation>
    </message>
    <message>
        <source>Number of direct child ranges</source>
        <translation>直接子范围的个数</translation>
    </message>
    <message>
        <source>Number of events</source>
        <translation>事件数</translation>
    </message>
    <message>
        <source>Number of idle gaps in the row</source>
        <translation>该行中空闲空隙的个数</translation>
    </message>
    <message>
        <source>Number of kernels</source>
        <translation>kernel 数</translation>
    </message>
    <message>
        <source>Number of kernels that waited after their launch</source>
        <translation>启动之后等待的 kernel 数</translation>
    </message>
    <message>
        <source>Number of kernels, copies and memsets launched in the range</source>
        <translation>范围内启动的 kernel、拷贝和 memset 的个数</translation>
    </message>
    <message>
        <source>Number of recorded values</source>
        <translation>记录的值的个数</translation>
    </message>
    <message>
        <source>OS runtime</source>
        <translation>OS runtime</translation>
    </message>
    <message>
        <source>Object of the counter</source>
        <translation>计数器的对象</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>Of %1, without start-up and end (%2). &lt;a href='bar:all'&gt;Show all&lt;/a&gt;</source>
        <translation>针对 %1，不含初始化和结束 (%2)。&lt;a href='bar:all'&gt;显示全部&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Of all GPUs: this command does not choose one.</source>
        <translation>针对所有 GPU：此命令不能选择 GPU。</translation>
    </message>
    <message>
        <source>Of all rows: this command does not choose rows.</source>
        <translation>针对所有行：此命令不能选择行。</translation>
    </message>
    <message>
        <source>Of the whole report: this command does not choose a range.</source>
        <translation>针对整份报告：此命令不能选择范围。</translation>
    </message>
    <message>
        <source>Offset from the clock of the first report, such as 3.7 ms. Leave empty to use the detected value.</source>
        <translation>与第一份报告的时钟的偏移，例如 3.7 ms。留空则使用检测到的值。</translation>
    </message>
    <message>
        <source>One kernel</source>
        <translation>单个 kernel</translation>
    </message>
    <message>
        <source>One scale for counters of a &amp;kind</source>
        <translation>同种类计数器使用同一刻度(&amp;K)</translation>
    </message>
    <message>
        <source>One-time cost, outside the measured time: %1.</source>
        <translation>测量时间之外的一次性开销：%1。</translation>
    </message>
    <message>
        <source>Only events of: %1. Click to list all.</source>
        <translation>只有这些事件：%1。单击列出全部。</translation>
    </message>
    <message>
        <source>Only findings with evidence in NVTX ranges of this name, such as step_*, or that match a filter expression</source>
        <translation>只显示依据在此名称的 NVTX 范围（例如 step_*）中或与筛选表达式匹配的问题</translation>
    </message>
    <message>
        <source>Only rows with &amp;events in view</source>
        <translation>只显示视图内有事件的行(&amp;E)</translation>
    </message>
    <message>
        <source>Only the selected rows.</source>
        <translation>只有选中的行。</translation>
    </message>
    <message>
        <source>Open %1 of it…</source>
        <translation>打开其中 %1…</translation>
    </message>
    <message>
        <source>Open %1:%2</source>
        <translation>打开 %1:%2</translation>
    </message>
    <message>
        <source>Open a &amp;folder…</source>
        <translation>打开文件夹(&amp;F)…</translation>
    </message>
    <message>
        <source>Open a folder of reports</source>
        <translation>打开存放报告的文件夹</translation>
    </message>
    <message>
        <source>Open all reports of a folder</source>
        <translation>打开文件夹中的所有报告</translation>
    </message>
    <message>
        <source>Open both</source>
        <translation>同时打开</translation>
    </message>
    <message>
        <source>Open one or more reports</source>
        <translation>打开一份或多份报告</translation>
    </message>
    <message>
        <source>Open panel in new &amp;window</source>
        <translation>在新窗口中打开面板(&amp;W)</translation>
    </message>
    <message>
        <source>Open recen&amp;t</source>
        <translation>打开最近的报告(&amp;T)</translation>
    </message>
    <message>
        <source>Open reports</source>
        <translation>打开报告</translation>
    </message>
    <message>
        <source>Open reports…</source>
        <translation>打开报告…</translation>
    </message>
    <message>
        <source>Open the active panel in its own window, or dock it again</source>
        <translation>在单独的窗口中打开当前面板，或重新停靠</translation>
    </message>
    <message>
        <source>Open the documentation, offline</source>
        <translation>打开离线文档</translation>
    </message>
    <message>
        <source>Open the menu of an event or row</source>
        <translation>打开事件或行的菜单</translation>
    </message>
    <message>
        <source>Open the report that comes with Warpline</source>
        <translation>打开 Warpline 附带的报告</translation>
    </message>
    <message>
        <source>Open the reports of several ranks to see tables of ranks and exchanges.</source>
        <translation>打开多个 rank 的报告，可看到 rank 和数据交换的表。</translation>
    </message>
    <message>
        <source>Open the reports of several ranks to see which rank is late, and why.</source>
        <translation>打开多个 rank 的报告，可看到哪个 rank 迟到及其原因。</translation>
    </message>
    <message>
        <source>Open the sa&amp;mple</source>
        <translation>打开示例(&amp;M)</translation>
    </message>
    <message>
        <source>Open the sample</source>
        <translation>打开示例</translation>
    </message>
    <message>
        <source>Opened the view in %1</source>
        <translation>已打开 %1 中的视图</translation>
    </message>
    <message>
        <source>Opening</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>正在打开 %1</translation>
    </message>
    <message>
        <source>Opening %1 reports</source>
        <translation>正在打开 %1 份报告</translation>
    </message>
    <message>
        <source>Opens source lines of call stacks. Leave empty to turn the links off.</source>
        <translation>打开调用栈的源代码行。留空则关闭这些链接。</translation>
    </message>
    <message>
        <source>Operating system</source>
        <translation>操作系统</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Operation and direction</source>
        <translation>操作和方向</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Operators against the roofline</source>
        <translation>算子与 Roofline</translation>
    </message>
    <message>
        <source>Or drop files or a folder here.</source>
        <translation>或把文件或文件夹拖放到这里。</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>Other calls</source>
        <translation>其他调用</translation>
    </message>
    <message>
        <source>Other communication</source>
        <translation>其他通信</translation>
    </message>
    <message>
        <source>Other copies</source>
        <translation>其他拷贝</translation>
    </message>
    <message>
        <source>Other events are dimmed. Click or press H to clear.</source>
        <translation>其他事件变淡。单击或按 H 可清除。</translation>
    </message>
    <message>
        <source>Other events are dimmed. Click to clear.</source>
        <translation>其他事件变淡。单击可清除。</translation>
    </message>
    <message>
        <source>Other kernels</source>
        <translation>其他 kernel</translation>
    </message>
    <message>
        <source>Otherwise they are removed, as are names of hosts and home folders in all texts</source>
        <translation>否则将删除它们，并从所有文字中删除主机名和用户文件夹名</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>Outside NVTX ranges</source>
        <translation>NVTX 范围之外</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>随时间</translation>
    </message>
    <message>
        <source>Overlap %1</source>
        <translation>重叠 %1</translation>
    </message>
    <message>
        <source>P&amp;art of the report…</source>
        <translation>报告的一部分(&amp;A)…</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>Pageable</source>
        <translation>可分页</translation>
    </message>
    <message>
        <source>Palette that is safe for red-green color blindness</source>
        <translation>红绿色盲也能分辨的调色板</translation>
    </message>
    <message>
        <source>Pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Pan left</source>
        <translation>向左平移</translation>
    </message>
    <message>
        <source>Pan left while the key is held</source>
        <translation>按住按键时向左平移</translation>
    </message>
    <message>
        <source>Pan right</source>
        <translation>向右平移</translation>
    </message>
    <message>
        <source>Pan right while the key is held</source>
        <translation>按住按键时向右平移</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>面板</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Part of a name, /regular expression/, or terms:
dur&gt;50us stream=7 kind=kernel domain=NCCL path=step*/attention payload.size&gt;1e6 grid=128x1x1
Press Down for fields and values.</source>
        <translation>名称的一部分、/正则表达式/ 或条件：
dur&gt;50us stream=7 kind=kernel domain=NCCL path=step*/attention payload.size&gt;1e6 grid=128x1x1
按向下键可选择字段和值。</translation>
    </message>
    <message>
        <source>Part of the report</source>
        <translation>报告的一部分</translation>
    </message>
    <message>
        <source>Payload: %1</source>
        <translation>负载：%1</translation>
    </message>
    <message>
        <source>Peer to peer</source>
        <translation>PtoP 拷贝</translation>
    </message>
    <message>
        <source>Pin the rows that match the filter</source>
        <translation>固定与筛选匹配的行</translation>
    </message>
    <message>
        <source>Pin the same row of all reports</source>
        <translation>固定所有报告中的同一行</translation>
    </message>
    <message>
        <source>Pin this row of every rank at the top</source>
        <translation>把每个 rank 的这一行固定在顶部</translation>
    </message>
    <message>
        <source>Potential saving</source>
        <translation>可节省时间</translation>
    </message>
    <message>
        <source>Potential saving: up to %1 (%2 of the measured time).</source>
        <translation>可节省时间：最多 %1（测量时间的 %2）。</translation>
    </message>
    <message>
        <source>Pre&amp;vious bookmark</source>
        <translation>上一个书签(&amp;V)</translation>
    </message>
    <message>
        <source>Pre&amp;vious pane</source>
        <translation>上一个窗格(&amp;V)</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>首选项</translation>
    </message>
    <message>
        <source>Press M to bookmark the selected range, or the time under the pointer.</source>
        <translation>按 M 给选中的范围或指针处的时间添加书签。</translation>
    </message>
    <message>
        <source>Previous event in row</source>
        <translation>行中的上一个事件</translation>
    </message>
    <message>
        <source>Previous evidence</source>
        <translation>上一个依据</translation>
    </message>
    <message>
        <source>Previous linked event</source>
        <translation>上一个关联事件</translation>
    </message>
    <message>
        <source>Previous step of both r&amp;uns</source>
        <translation>两次运行的上一步(&amp;U)</translation>
    </message>
    <message>
        <source>Previous step of both runs</source>
        <translation>两次运行的上一步</translation>
    </message>
    <message>
        <source>Problems while reading</source>
        <translation>读取时的问题</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>进程</translation>
    </message>
    <message>
        <source>Process id</source>
        <translation>进程 id</translation>
    </message>
    <message>
        <source>Processes with events</source>
        <translation>有事件的进程</translation>
    </message>
    <message>
        <source>Profiler messages</source>
        <translation>profiler 消息</translation>
    </message>
    <message>
        <source>Profiler overhead</source>
        <translation>profiler 开销</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Program output</source>
        <translation>程序输出</translation>
    </message>
    <message>
        <source>Push/pop or start/end range</source>
        <translation>push/pop 或 start/end 范围</translation>
    </message>
    <message>
        <source>PyTorch profiler</source>
        <translation>PyTorch profiler</translation>
    </message>
    <message>
        <source>Queries, views and tables</source>
        <translation>查询、视图和表</translation>
    </message>
    <message>
        <source>Query results as rows</source>
        <translation>作为行的查询结果</translation>
    </message>
    <message>
        <source>Query the report in SQL; the file is never changed</source>
        <translation>用 SQL 查询报告；不会改变文件</translation>
    </message>
    <message>
        <source>Quit Warpline</source>
        <translation>退出 Warpline</translation>
    </message>
    <message>
        <source>R&amp;anks</source>
        <translation>rank(&amp;A)</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Range end</source>
        <translation>范围结束</translation>
    </message>
    <message>
        <source>Range id in this table</source>
        <translation>本表中的范围 id</translation>
    </message>
    <message>
        <source>Range shown in the timeline: &lt;b&gt;%1&lt;/b&gt; &amp;nbsp;&amp;middot;&amp;nbsp; %2 to %3 &amp;nbsp;&amp;middot;&amp;nbsp; %4</source>
        <translation>时间线所示范围：&lt;b&gt;%1&lt;/b&gt; &amp;nbsp;&amp;middot;&amp;nbsp; %2 到 %3 &amp;nbsp;&amp;middot;&amp;nbsp; %4</translation>
    </message>
    <message>
        <source>Range start</source>
        <translation>范围开始</translation>
    </message>
    <message>
        <source>Ranges to include, with picture and statistics:</source>
        <translation>要包括的范围，带图片和统计：</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Rank map</source>
        <translation>rank 图</translation>
    </message>
    <message>
        <source>Rank of the process</source>
        <translation>进程的 rank</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank</translation>
    </message>
    <message>
        <source>Ranks and steps</source>
        <translation>rank 和步</translation>
    </message>
    <message>
        <source>Ranks in order of arrival</source>
        <translation>按到达次序的 rank</translation>
    </message>
    <message>
        <source>Re&amp;move from my rows</source>
        <translation>从我的行中移除(&amp;M)</translation>
    </message>
    <message>
        <source>Read %1 of %2 reports</source>
        <translation>已读取 %2 份报告中的 %1 份</translation>
    </message>
    <message>
        <source>Read the open reports again, and keep the view</source>
        <translation>重新读取打开的报告，并保留视图</translation>
    </message>
    <message>
        <source>Reading the report…</source>
        <translation>正在读取报告…</translation>
    </message>
    <message>
        <source>Reasons</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近</translation>
    </message>
    <message>
        <source>Recor&amp;d a report…</source>
        <translation>录制报告(&amp;D)…</translation>
    </message>
    <message>
        <source>Record a report</source>
        <translation>录制报告</translation>
    </message>
    <message>
        <source>Record a report…</source>
        <translation>录制报告…</translation>
    </message>
    <message>
        <source>Record what is missing…</source>
        <translation>录制缺少的内容…</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>录制值</translation>
    </message>
    <message>
        <source>Recorded: %1. With the change: %2.</source>
        <translation>录制的：%1。改动之后：%2。</translation>
    </message>
    <message>
        <source>Registers per thread</source>
        <translation>每个线程的寄存器数</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Reload f&amp;iles</source>
        <translation>重新加载文件(&amp;I)</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Remove highlights</source>
        <translation>取消所有突出显示</translation>
    </message>
    <message>
        <source>Remove row</source>
        <translation>移除行</translation>
    </message>
    <message>
        <source>Remove saved filter</source>
        <translation>删除保存的筛选</translation>
    </message>
    <message>
        <source>Remove the filter</source>
        <translation>取消筛选</translation>
    </message>
    <message>
        <source>Remove the row from My rows</source>
        <translation>把该行从“我的行”中移除</translation>
    </message>
    <message>
        <source>Removes environment, command lines, program output, and names of hosts, users and home folders</source>
        <translation>去除环境变量、命令行、程序输出，以及主机名、用户名和用户文件夹名</translation>
    </message>
    <message>
        <source>Rename row</source>
        <translation>重命名行</translation>
    </message>
    <message>
        <source>Rename row…</source>
        <translation>重命名行…</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Report of the event</source>
        <translation>事件所在的报告</translation>
    </message>
    <message>
        <source>Report sets (*%1)</source>
        <translation>报告组合 (*%1)</translation>
    </message>
    <message>
        <source>Report shown in the panels</source>
        <translation>面板中显示的报告</translation>
    </message>
    <message>
        <source>Report shown in the panels: that of the selection, a fixed one, or all</source>
        <translation>面板中显示的报告：选中内容所在的报告、固定的一份，或全部</translation>
    </message>
    <message>
        <source>Report shown in the panels: that of the selection, or a fixed one</source>
        <translation>面板中显示的报告：选中内容所在的报告，或固定的一份</translation>
    </message>
    <message>
        <source>Report:</source>
        <translation>报告：</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Reports (%1);;All files (*)</source>
        <translation>报告 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Reports and window</source>
        <translation>报告和窗口</translation>
    </message>
    <message>
        <source>Reports of 10 million events or more open faster the next time. Copies are kept in %1.</source>
        <translation>有 1000 万个或更多事件的报告下次打开更快。副本保存在 %1。</translation>
    </message>
    <message>
        <source>Reset row height</source>
        <translation>重置行高</translation>
    </message>
    <message>
        <source>Reset the &amp;layout</source>
        <translation>重置布局(&amp;L)</translation>
    </message>
    <message>
        <source>Restore the default panel layout</source>
        <translation>恢复默认的面板布局</translation>
    </message>
    <message>
        <source>Restore the default row height</source>
        <translation>恢复默认行高</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Right click</source>
        <translation>右键单击</translation>
    </message>
    <message>
        <source>Right drag, Ctrl+Shift+drag</source>
        <translation>右键拖动、Ctrl+Shift+拖动</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Roofline plot</source>
        <translation>Roofline 图</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Row %1 is not an event in the timeline</source>
        <translation>第 %1 行不是时间线中的事件</translation>
    </message>
    <message>
        <source>Row “%1” has no result: %2</source>
        <translation>行“%1”没有结果：%2</translation>
    </message>
    <message>
        <source>Row, hidden</source>
        <translation>行，已隐藏</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rule and threshold</source>
        <translation>规则和阈值</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Run A: %1. For B: &lt;a href='swap'&gt;Swap A and B&lt;/a&gt;</source>
        <translation>运行 A：%1。要查看 B：&lt;a href='swap'&gt;交换 A 和 B&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Run the query (Ctrl+Return)</source>
        <translation>运行查询 (Ctrl+Return)</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>S&amp;hare report…</source>
        <translation>分享报告(&amp;H)…</translation>
    </message>
    <message>
        <source>SELECT short_name, count(*), sum(duration) FROM kernels GROUP BY 1</source>
        <translation>SELECT short_name, count(*), sum(duration) FROM kernels GROUP BY 1</translation>
    </message>
    <message>
        <source>SM clock (MHz)</source>
        <translation>SM 时钟 (MHz)</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>SQL needs an Nsight Systems export. This report is not one.</source>
        <translation>SQL 需要 Nsight Systems 导出。这份报告不是。</translation>
    </message>
    <message>
        <source>Same display name</source>
        <translation>显示名称相同</translation>
    </message>
    <message>
        <source>Same name</source>
        <translation>同名事件</translation>
    </message>
    <message>
        <source>Same template</source>
        <translation>模板相同</translation>
    </message>
    <message>
        <source>Same?</source>
        <translation>相同？</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Save &amp;view as…</source>
        <translation>视图另存为(&amp;V)…</translation>
    </message>
    <message>
        <source>Save a picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Save all as CSV…</source>
        <translation>全部保存为 CSV…</translation>
    </message>
    <message>
        <source>Save events</source>
        <translation>保存事件</translation>
    </message>
    <message>
        <source>Save filter</source>
        <translation>保存筛选</translation>
    </message>
    <message>
        <source>Save findings</source>
        <translation>保存问题</translation>
    </message>
    <message>
        <source>Save ranges with pictures, findings, tables, bookmarks and notes as a web page</source>
        <translation>把若干范围连同图片、问题、表、书签和笔记保存为网页</translation>
    </message>
    <message>
        <source>Save report set</source>
        <translation>保存报告组合</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>保存对比</translation>
    </message>
    <message>
        <source>Save the comparison as a web page, Markdown or JSON</source>
        <translation>把对比保存为网页、Markdown 或 JSON</translation>
    </message>
    <message>
        <source>Save the findings as a web page, Markdown or JSON</source>
        <translation>把问题保存为网页、Markdown 或 JSON</translation>
    </message>
    <message>
        <source>Save the listed events as CSV</source>
        <translation>把列出的事件保存为 CSV</translation>
    </message>
    <message>
        <source>Save the part to open</source>
        <translation>保存要打开的部分</translation>
    </message>
    <message>
        <source>Save the view</source>
        <translation>保存视图</translation>
    </message>
    <message>
        <source>Save the view to another file</source>
        <translation>把视图保存到另一个文件</translation>
    </message>
    <message>
        <source>Save the window as a picture</source>
        <translation>把窗口保存为图片</translation>
    </message>
    <message>
        <source>Save this filter. Press Down in an empty field to choose it.</source>
        <translation>保存此筛选。在空的文本框中按向下键可选择它。</translation>
    </message>
    <message>
        <source>Save this table as CSV, Markdown or JSON</source>
        <translation>把这个表保存为 CSV、Markdown 或 JSON</translation>
    </message>
    <message>
        <source>Save to file…</source>
        <translation>保存到文件…</translation>
    </message>
    <message>
        <source>Save view, rows, bookmarks, notes and thresholds next to the report</source>
        <translation>把视图、行、书签、笔记和阈值保存在报告旁</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Saved filters</source>
        <translation>保存的筛选</translation>
    </message>
    <message>
        <source>Saved the view of A to %1</source>
        <translation>已把 A 的视图保存到 %1</translation>
    </message>
    <message>
        <source>Saved the view to %1</source>
        <translation>已把视图保存到 %1</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>节省</translation>
    </message>
    <message>
        <source>Saving in A</source>
        <translation>A 可节省</translation>
    </message>
    <message>
        <source>Saving in B</source>
        <translation>B 可节省</translation>
    </message>
    <message>
        <source>Scale counters from lowest to highest value</source>
        <translation>计数器的刻度从最小值到最大值</translation>
    </message>
    <message>
        <source>Scale counters to the visible range</source>
        <translation>按可见范围设置计数器的刻度</translation>
    </message>
    <message>
        <source>Scale of durations</source>
        <translation>时长的刻度</translation>
    </message>
    <message>
        <source>Scale of what is in &amp;view</source>
        <translation>按可见内容设置刻度(&amp;V)</translation>
    </message>
    <message>
        <source>Schema</source>
        <translation>架构版本</translation>
    </message>
    <message>
        <source>Scope of the panels: %1, from %2 to %3.
Without a selected range, the panel Selection covers the range shown in the timeline.
Drag in the timeline to select a range. Press Esc to clear it.</source>
        <translation>面板的范围：%1，从 %2 到 %3。
没有选中的范围时，“选中内容”面板针对时间线所示范围。
在时间线中拖动可选择范围。按 Esc 清除。</translation>
    </message>
    <message>
        <source>Scope: %1</source>
        <translation>范围：%1</translation>
    </message>
    <message>
        <source>Scroll rows</source>
        <translation>滚动行</translation>
    </message>
    <message>
        <source>Search all commands and rows</source>
        <translation>搜索所有命令和行</translation>
    </message>
    <message>
        <source>Search commands and rows</source>
        <translation>搜索命令和行</translation>
    </message>
    <message>
        <source>Search names</source>
        <translation>搜索名称</translation>
    </message>
    <message>
        <source>Search rows; &gt; searches commands</source>
        <translation>搜索行；&gt; 搜索命令</translation>
    </message>
    <message>
        <source>Search the glossary</source>
        <translation>搜索术语表</translation>
    </message>
    <message>
        <source>Search the rows of the timeline</source>
        <translation>搜索时间线的行</translation>
    </message>
    <message>
        <source>Search the table</source>
        <translation>搜索表</translation>
    </message>
    <message>
        <source>Second shortcut</source>
        <translation>第二快捷键</translation>
    </message>
    <message>
        <source>See where GPU time goes. Opens Nsight Systems exports (.sqlite) and PyTorch profiler traces.</source>
        <translation>看清 GPU 时间用在哪里。可打开 Nsight Systems 导出 (.sqlite) 和 PyTorch profiler 跟踪。</translation>
    </message>
    <message>
        <source>Select a collective, or a call that waits for other ranks, to see the order in which ranks arrive.</source>
        <translation>选中一次集合通信或等待其他 rank 的调用，可看到各 rank 到达的次序。</translation>
    </message>
    <message>
        <source>Select a range of time, and the rows if it spans several. It snaps to events; hold Alt to turn that off</source>
        <translation>选中时间范围；跨多行时也选中这些行。边缘会吸附到事件，按住 Alt 可关闭吸附</translation>
    </message>
    <message>
        <source>Select an event or drag a range to see its details. Shift+click another event to measure the time between them.</source>
        <translation>选中一个事件或拖出一个范围以查看详情。按住 Shift 单击另一个事件可测量两者之间的时间。</translation>
    </message>
    <message>
        <source>Select an event to compare it with others of the same name.</source>
        <translation>选中一个事件，把它与其他同名事件比较。</translation>
    </message>
    <message>
        <source>Select range</source>
        <translation>选中范围</translation>
    </message>
    <message>
        <source>Select the enclosing event, or the event at this time in the row above</source>
        <translation>选中外层事件，或上一行中同一时间的事件</translation>
    </message>
    <message>
        <source>Select the nested event, or the event at this time in the row below</source>
        <translation>选中内层事件，或下一行中同一时间的事件</translation>
    </message>
    <message>
        <source>Select the next event in the row, or pan right</source>
        <translation>选中行中的下一个事件，或向右平移</translation>
    </message>
    <message>
        <source>Select the previous event in the row, or pan left</source>
        <translation>选中行中的上一个事件，或向左平移</translation>
    </message>
    <message>
        <source>Select the time of the event</source>
        <translation>选中该事件的时间</translation>
    </message>
    <message>
        <source>Select the visible range; repeat to select the whole report</source>
        <translation>选中可见范围；再次操作则选中整份报告</translation>
    </message>
    <message>
        <source>Select visible range</source>
        <translation>选中可见范围</translation>
    </message>
    <message>
        <source>Select, measure and bookmark</source>
        <translation>选中、测量和书签</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>选中</translation>
    </message>
    <message>
        <source>Selected event</source>
        <translation>选中的事件</translation>
    </message>
    <message>
        <source>Selected exchange</source>
        <translation>选中的数据交换</translation>
    </message>
    <message>
        <source>Selected range</source>
        <translation>选中的范围</translation>
    </message>
    <message>
        <source>Selected range: &lt;b&gt;%1&lt;/b&gt; &amp;nbsp;&amp;middot;&amp;nbsp; %2 to %3 &amp;nbsp;&amp;middot;&amp;nbsp; %4</source>
        <translation>选中的范围：&lt;b&gt;%1&lt;/b&gt; &amp;nbsp;&amp;middot;&amp;nbsp; %2 到 %3 &amp;nbsp;&amp;middot;&amp;nbsp; %4</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>选中：%1</translation>
    </message>
    <message>
        <source>Selected: %1, longer than %2 of them (%3 are shorter)</source>
        <translation>选中：%1，比其中 %2 更长（%3 更短）</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选中内容</translation>
    </message>
    <message>
        <source>Set as A</source>
        <translation>设为 A</translation>
    </message>
    <message>
        <source>Set nsys path…</source>
        <translation>设置 nsys 路径…</translation>
    </message>
    <message>
        <source>Set theme, shortcuts and finding thresholds</source>
        <translation>设置主题、快捷键和问题的阈值</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>Severity: %1. Confidence: %2.</source>
        <translation>严重程度：%1。把握：%2。</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Share of changes</source>
        <translation>占变化的比例</translation>
    </message>
    <message>
        <source>Share of the total time of all rows</source>
        <translation>占所有行总时间的比例</translation>
    </message>
    <message>
        <source>Share of the whole</source>
        <translation>占全部的比例</translation>
    </message>
    <message>
        <source>Share report</source>
        <translation>分享报告</translation>
    </message>
    <message>
        <source>Shift+click</source>
        <translation>Shift+单击</translation>
    </message>
    <message>
        <source>Shift+wheel, Shift+drag, middle drag</source>
        <translation>Shift+滚轮、Shift+拖动、中键拖动</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Shortest</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>Show %1 at %2</source>
        <translation>显示 %2 处的 %1</translation>
    </message>
    <message>
        <source>Show &amp;hidden rows</source>
        <translation>显示隐藏的行(&amp;H)</translation>
    </message>
    <message>
        <source>Show GPUs that a process opened but gave no work</source>
        <translation>显示进程打开但没有派发工作的 GPU</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show all rows</source>
        <translation>显示所有行</translation>
    </message>
    <message>
        <source>Show as row</source>
        <translation>显示为行</translation>
    </message>
    <message>
        <source>Show bars by time or by share</source>
        <translation>按时间或占比显示条</translation>
    </message>
    <message>
        <source>Show durations of all events of this name</source>
        <translation>显示所有同名事件的时长</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show hidden rows again</source>
        <translation>重新显示隐藏的行</translation>
    </message>
    <message>
        <source>Show host, command line and program output</source>
        <translation>显示主机、命令行和程序输出</translation>
    </message>
    <message>
        <source>Show in Events</source>
        <translation>在“事件”中显示</translation>
    </message>
    <message>
        <source>Show in timeline</source>
        <translation>在时间线中显示</translation>
    </message>
    <message>
        <source>Show names, ranks and clocks of the open reports, and choose which are shown</source>
        <translation>显示已打开报告的名称、rank 和时钟，并选择显示哪些</translation>
    </message>
    <message>
        <source>Show only metrics and other counters</source>
        <translation>只显示指标和其他计数器</translation>
    </message>
    <message>
        <source>Show only processes, threads and CPU cores</source>
        <translation>只显示进程、线程和 CPU 核</translation>
    </message>
    <message>
        <source>Show only rows of GPUs</source>
        <translation>只显示 GPU 的行</translation>
    </message>
    <message>
        <source>Show only rows of NCCL, MPI, UCX and networks</source>
        <translation>只显示 NCCL、MPI、UCX 和网络的行</translation>
    </message>
    <message>
        <source>Show only the rows in My rows</source>
        <translation>只显示“我的行”中的行</translation>
    </message>
    <message>
        <source>Show or hide the drawer</source>
        <translation>显示或隐藏抽屉面板</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>显示或隐藏检查器</translation>
    </message>
    <message>
        <source>Show rows by name. “kernels, stream 7” shows rows of either, “-memory” hides rows, /stream (7|13)/ is a regular expression. Ctrl+Enter pins the matches.</source>
        <translation>按名称显示行。“kernels, stream 7”显示任一匹配的行，“-memory”隐藏行，/stream (7|13)/ 是正则表达式。Ctrl+Enter 固定匹配的行。</translation>
    </message>
    <message>
        <source>Show rows of all kinds</source>
        <translation>显示所有种类的行</translation>
    </message>
    <message>
        <source>Show rows without events in view, too</source>
        <translation>也显示视图内没有事件的行</translation>
    </message>
    <message>
        <source>Show that of %1</source>
        <translation>显示 %1 的</translation>
    </message>
    <message>
        <source>Show the event in the Events panel</source>
        <translation>在“事件”面板中显示该事件</translation>
    </message>
    <message>
        <source>Show the next evidence of the finding</source>
        <translation>显示该问题的下一个依据</translation>
    </message>
    <message>
        <source>Show the next step of both runs</source>
        <translation>显示两次运行的下一步</translation>
    </message>
    <message>
        <source>Show the previous evidence of the finding</source>
        <translation>显示该问题的上一个依据</translation>
    </message>
    <message>
        <source>Show the previous step of both runs</source>
        <translation>显示两次运行的上一步</translation>
    </message>
    <message>
        <source>Show the problems found while reading</source>
        <translation>显示读取时发现的问题</translation>
    </message>
    <message>
        <source>Show the results as a timeline row. They need a column start, timestamp or time; end, duration, name and value are optional.</source>
        <translation>把结果显示为时间线的行。结果需要有 start、timestamp 或 time 列；end、duration、name 和 value 可选。</translation>
    </message>
    <message>
        <source>Show the rows that you hid</source>
        <translation>显示隐藏的行</translation>
    </message>
    <message>
        <source>Show the timeline of one run</source>
        <translation>显示一次运行的时间线</translation>
    </message>
    <message>
        <source>Show the whole report</source>
        <translation>显示整份报告</translation>
    </message>
    <message>
        <source>Show this event in the timeline</source>
        <translation>在时间线中显示此事件</translation>
    </message>
    <message>
        <source>Show version and license</source>
        <translation>显示版本和许可证</translation>
    </message>
    <message>
        <source>Show where the time of steps goes on the GPU, or the parts of their ranges on the host</source>
        <translation>显示步的时间在 GPU 上用在哪里，或其主机范围由哪些部分组成</translation>
    </message>
    <message>
        <source>Showing %1 of %2. Keep typing to narrow the list.</source>
        <translation>显示 %2 个中的 %1 个。继续输入可缩小列表。</translation>
    </message>
    <message>
        <source>Showing &lt;b&gt;%1&lt;/b&gt; of %2.</source>
        <translation>显示 %2 中的 &lt;b&gt;%1&lt;/b&gt;。</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Shown range</source>
        <translation>显示的范围</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Slurm</source>
        <translation>Slurm</translation>
    </message>
    <message>
        <source>Some…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Span</source>
        <translation>时间跨度</translation>
    </message>
    <message>
        <source>Standard deviation: typical distance from the mean</source>
        <translation>标准差：与平均值的典型距离</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Start counter scales at zero</source>
        <translation>计数器的刻度从零开始</translation>
    </message>
    <message>
        <source>Start on the timeline</source>
        <translation>在时间线上的开始时间</translation>
    </message>
    <message>
        <source>Start to start %1</source>
        <translation>开始到开始 %1</translation>
    </message>
    <message>
        <source>Start, on the report's clock. In Events on the clock of the timeline.</source>
        <translation>开始时间，按报告的时钟；在“事件”中按时间线的时钟。</translation>
    </message>
    <message>
        <source>Start-up and end %1</source>
        <translation>初始化和结束 %1</translation>
    </message>
    <message>
        <source>Started (UTC)</source>
        <translation>开始时间 (UTC)</translation>
    </message>
    <message>
        <source>Statement</source>
        <translation>语句</translation>
    </message>
    <message>
        <source>Static shared memory per block</source>
        <translation>每个线程块的静态共享内存</translation>
    </message>
    <message>
        <source>Statistics of the selection, or of the visible range</source>
        <translation>选中内容或可见范围的统计</translation>
    </message>
    <message>
        <source>Statistics of this name</source>
        <translation>该名称的统计</translation>
    </message>
    <message>
        <source>Steady step</source>
        <translation>稳态步</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step number, from 1</source>
        <translation>步的编号，从 1 开始</translation>
    </message>
    <message>
        <source>Step through events</source>
        <translation>逐个查看事件</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步时间</translation>
    </message>
    <message>
        <source>Step times on the host. Grey: usual, yellow to red: slower, blue: faster, pale: warm-up</source>
        <translation>主机上的步时间。灰色：平常，黄到红：更慢，蓝色：更快，浅色：预热</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Steps and compared runs</source>
        <translation>步和对比的运行</translation>
    </message>
    <message>
        <source>Steps of %1</source>
        <translation>%1 的步</translation>
    </message>
    <message>
        <source>Steps of &amp;equal length</source>
        <translation>等长显示步(&amp;E)</translation>
    </message>
    <message>
        <source>Steps on the host</source>
        <translation>主机上的步</translation>
    </message>
    <message>
        <source>Steps on the host. Grey: usual, yellow to red: slower, blue: faster, pale: warm-up. Click to show a step, drag to show several.</source>
        <translation>主机上的步。灰色：平常，黄到红：更慢，蓝色：更快，浅色：预热。单击显示一步，拖动显示多步。</translation>
    </message>
    <message>
        <source>Still filtered by “%1”.</source>
        <translation>仍按“%1”筛选。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Stream</source>
        <translation>流</translation>
    </message>
    <message>
        <source>Sum over whole events. Events that overlap count more than once.</source>
        <translation>完整事件之和。重叠的事件重复计入。</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>交换</translation>
    </message>
    <message>
        <source>Swap A and &amp;B</source>
        <translation>交换 A 和 B(&amp;B)</translation>
    </message>
    <message>
        <source>Swap A and B</source>
        <translation>交换 A 和 B</translation>
    </message>
    <message>
        <source>Synchronization</source>
        <translation>同步</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>系统默认</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>系统语言</translation>
    </message>
    <message>
        <source>System theme</source>
        <translation>系统主题</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Tables of ranks and exchanges, and findings across ranks</source>
        <translation>rank 和数据交换的表，以及跨 rank 的问题</translation>
    </message>
    <message>
        <source>Tables of the export</source>
        <translation>导出的表</translation>
    </message>
    <message>
        <source>Tables that Warpline does not read</source>
        <translation>Warpline 不读取的表</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>The GPU is idle: %1</source>
        <translation>GPU 空闲：%1</translation>
    </message>
    <message>
        <source>The GPU is idle: %1 in %2</source>
        <translation>GPU 空闲：%1，在 %2 中</translation>
    </message>
    <message>
        <source>The checklist is about GPU work: %1</source>
        <translation>检查清单针对 GPU 工作：%1</translation>
    </message>
    <message>
        <source>The command of the window does not have the selected range.</source>
        <translation>窗口的命令不含所选范围。</translation>
    </message>
    <message>
        <source>The comparison ended, because only a part of A was read.</source>
        <translation>对比已结束，因为只读取了 A 的一部分。</translation>
    </message>
    <message>
        <source>The comparison failed. Compare shorter ranges, or open the runs again.</source>
        <translation>对比失败。请对比更短的范围，或重新打开两次运行。</translation>
    </message>
    <message>
        <source>The disk has not answered for %1 s: %2.</source>
        <translation>磁盘已有 %1 s 没有响应：%2。</translation>
    </message>
    <message>
        <source>The disk has not answered for %1 s: %2. Cancel, or wait.</source>
        <translation>磁盘已有 %1 s 没有响应：%2。请取消或等待。</translation>
    </message>
    <message>
        <source>The dot marks an event linked to the selected one. Click to go there.</source>
        <translation>圆点标出与选中事件关联的事件。单击可转到那里。</translation>
    </message>
    <message>
        <source>The editor's command has no {file}. Example: code --goto {file}:{line}</source>
        <translation>编辑器的命令中没有 {file}。例如：code --goto {file}:{line}</translation>
    </message>
    <message>
        <source>The exchange of the selected kernel or call, with its ranks in the order of arrival. Double-click to go to a rank.</source>
        <translation>选中的 kernel 或调用的数据交换，各 rank 按到达次序排列。双击可转到一个 rank。</translation>
    </message>
    <message>
        <source>The filter of the Events panel, with its durations</source>
        <translation>“事件”面板的筛选及其时长</translation>
    </message>
    <message>
        <source>The launch of %1 is not recorded.</source>
        <translation>没有录制 %1 的启动。</translation>
    </message>
    <message>
        <source>The limits of %1 are not known</source>
        <translation>%1 的极限未知</translation>
    </message>
    <message>
        <source>The nsys program</source>
        <translation>nsys 程序</translation>
    </message>
    <message>
        <source>The operator's FLOPs divided by its GPU time</source>
        <translation>算子的 FLOP 数除以其 GPU 时间</translation>
    </message>
    <message>
        <source>The operator's compulsory traffic divided by its GPU time</source>
        <translation>算子的必需访存量除以其 GPU 时间</translation>
    </message>
    <message>
        <source>The others are marks at the very end, or outside the session, such as profiler messages.</source>
        <translation>其余是最末尾或会话之外的标记，例如 profiler 消息。</translation>
    </message>
    <message>
        <source>The profiler slows this program down. Without it a step takes about %1 (%2 to %3).</source>
        <translation>profiler 使该程序变慢。不使用它时，每步约 %1（%2 到 %3）。</translation>
    </message>
    <message>
        <source>The profiler slows this program down. Without it the range takes about %1 (%2 to %3).</source>
        <translation>profiler 使该程序变慢。不使用它时，该范围约 %1（%2 到 %3）。</translation>
    </message>
    <message>
        <source>The profiler slows this program down. Without it the run takes about %1 (%2 to %3).</source>
        <translation>profiler 使该程序变慢。不使用它时，这次运行约 %1（%2 到 %3）。</translation>
    </message>
    <message>
        <source>The query has no results.</source>
        <translation>查询没有结果。</translation>
    </message>
    <message>
        <source>The ranges as they are compared: the selection does not apply here.</source>
        <translation>按对比时的范围：选中内容在这里不起作用。</translation>
    </message>
    <message>
        <source>The report %1 has no part in this range.</source>
        <translation>报告 %1 不包含此时间范围。</translation>
    </message>
    <message>
        <source>The report changed</source>
        <translation>报告已改变</translation>
    </message>
    <message>
        <source>The report has no data for this table.</source>
        <translation>报告没有此表的数据。</translation>
    </message>
    <message>
        <source>The report is not read completely. Nothing was exported.</source>
        <translation>报告没有完整读取。未导出任何内容。</translation>
    </message>
    <message>
        <source>The report is now of another program. The bookmarks and notes of the one before are kept in %1.</source>
        <translation>报告现在是另一个程序的。之前程序的书签和笔记保存在 %1 中。</translation>
    </message>
    <message>
        <source>The results are a row at the top of the timeline</source>
        <translation>结果已成为时间线顶部的一行</translation>
    </message>
    <message>
        <source>The runs as they are compared: the selection does not apply here.</source>
        <translation>按对比时的运行：选中内容在这里不起作用。</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>The selected range, until its GPU work ends. It has no two whole steps.</source>
        <translation>选中的范围，直到其 GPU 工作结束。该范围内没有两个完整的步。</translation>
    </message>
    <message>
        <source>The selected rows do not apply here.</source>
        <translation>选中的行在这里不起作用。</translation>
    </message>
    <message>
        <source>The selected rows have no GPU work.</source>
        <translation>选中的行没有 GPU 工作。</translation>
    </message>
    <message>
        <source>The tables of nsys stats, and more</source>
        <translation>nsys stats 的表及更多的表</translation>
    </message>
    <message>
        <source>The text goes on in its tooltip</source>
        <translation>完整文本见工具提示</translation>
    </message>
    <message>
        <source>The view is not saved while reports open. Wait until they are open, and save it again.</source>
        <translation>报告打开期间不保存视图。请等报告打开后再保存。</translation>
    </message>
    <message>
        <source>The view is not saved, because only a part of the report was read. Open it again.</source>
        <translation>没有保存视图，因为只读取了报告的一部分。请重新打开报告。</translation>
    </message>
    <message>
        <source>The whole report</source>
        <translation>整份报告</translation>
    </message>
    <message>
        <source>The whole report. Drag the window to pan, its edges to zoom.</source>
        <translation>整份报告。拖动窗口可平移，拖动其边缘可缩放。</translation>
    </message>
    <message>
        <source>The whole report: the selected range and rows do not apply here.</source>
        <translation>整份报告：选中的范围和行在这里不起作用。</translation>
    </message>
    <message>
        <source>The whole report: the selected range does not apply here.</source>
        <translation>整份报告：选中的范围在这里不起作用。</translation>
    </message>
    <message>
        <source>The window closes when %1 is written. Close it again to give up the file.</source>
        <translation>写入 %1 后窗口将关闭。要放弃该文件，请再次关闭窗口。</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>这台机器</translation>
    </message>
    <message>
        <source>This report contains no events.</source>
        <translation>这份报告没有事件。</translation>
    </message>
    <message>
        <source>This report has no copies.</source>
        <translation>这份报告没有拷贝。</translation>
    </message>
    <message>
        <source>This report has no counters: --gpu-metrics-devices=all records those of the GPU.</source>
        <translation>这份报告没有计数器：--gpu-metrics-devices=all 可录制 GPU 的计数器。</translation>
    </message>
    <message>
        <source>This report has no operators with shapes. %1</source>
        <translation>这份报告没有带形状的算子。%1</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Thread id</source>
        <translation>线程 id</translation>
    </message>
    <message>
        <source>Thread or process of the event</source>
        <translation>事件所在的线程或进程</translation>
    </message>
    <message>
        <source>Thread, or GPU and stream, of the event</source>
        <translation>事件所在的线程，或 GPU 和流</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time at the GPU's limits, as a share of the actual time. Above 100%, data comes from a cache.</source>
        <translation>达到 GPU 极限所需的时间占实际时间的比例。超过 100% 时，数据来自缓存。</translation>
    </message>
    <message>
        <source>Time inside the range. Mean, median, minimum, maximum and bytes are of whole events. Events that overlap count more than once.</source>
        <translation>范围内的时间。平均值、中位数、最小值、最大值和字节按完整事件计。重叠的事件重复计入。</translation>
    </message>
    <message>
        <source>Time of the child ranges</source>
        <translation>子范围的时间</translation>
    </message>
    <message>
        <source>Time outside child ranges</source>
        <translation>子范围之外的时间</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Timeline row. Click to show it.</source>
        <translation>时间线的行。单击可显示。</translation>
    </message>
    <message>
        <source>To open %1, Warpline needs Nsight Systems. Set the path of nsys, or export the report on a machine that has it: %2</source>
        <translation>打开 %1 需要 Nsight Systems。请设置 nsys 的路径，或在装有它的机器上导出报告：%2</translation>
    </message>
    <message>
        <source>To see the parts of each step, add NVTX ranges to the program: torch.cuda.nvtx.range_push("step"), nvtxRangePush("step").</source>
        <translation>要看到每一步的组成部分，请在程序中加入 NVTX 范围：torch.cuda.nvtx.range_push("step")、nvtxRangePush("step")。</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Top findings</source>
        <translation>主要问题</translation>
    </message>
    <message>
        <source>Top findings from %1 to %2</source>
        <translation>%1 到 %2 的主要问题</translation>
    </message>
    <message>
        <source>Top kernels</source>
        <translation>主要 kernel</translation>
    </message>
    <message>
        <source>Top names</source>
        <translation>主要名称</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Total time</source>
        <translation>总时间</translation>
    </message>
    <message>
        <source>Total, whole</source>
        <translation>完整时长总计</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Transfer, median</source>
        <translation>传输，中位数</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Type of the elements, from the name of the NCCL kernel. All-gather, broadcast, send and receive move plain bytes. MPI does not record the type.</source>
        <translation>元素类型，取自 NCCL kernel 的名称。all-gather、broadcast、send 和 receive 只搬运字节。MPI 不记录类型。</translation>
    </message>
    <message>
        <source>Under %1</source>
        <translation>在 %1 之下</translation>
    </message>
    <message>
        <source>Unified memory</source>
        <translation>统一内存</translation>
    </message>
    <message>
        <source>Unpin the row</source>
        <translation>取消固定该行</translation>
    </message>
    <message>
        <source>Use a logarithmic scale</source>
        <translation>使用对数刻度</translation>
    </message>
    <message>
        <source>Use a palette that is safe for red-green color blindness</source>
        <translation>使用红绿色盲也能分辨的调色板</translation>
    </message>
    <message>
        <source>Use nsys from PATH</source>
        <translation>使用 PATH 中的 nsys</translation>
    </message>
    <message>
        <source>Use one scale for counters of the same kind and unit</source>
        <translation>种类和单位相同的计数器使用同一刻度</translation>
    </message>
    <message>
        <source>Use the NVTX range or the selected range as A</source>
        <translation>把该 NVTX 范围或选中的范围作为 A</translation>
    </message>
    <message>
        <source>Use the dark high-contrast theme</source>
        <translation>使用深色高对比度主题</translation>
    </message>
    <message>
        <source>Use the dark theme</source>
        <translation>使用深色主题</translation>
    </message>
    <message>
        <source>Use the light high-contrast theme</source>
        <translation>使用浅色高对比度主题</translation>
    </message>
    <message>
        <source>Use the light theme</source>
        <translation>使用浅色主题</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Views (*%1)</source>
        <translation>视图 (*%1)</translation>
    </message>
    <message>
        <source>Views with names instead of ids</source>
        <translation>以名称代替 id 的视图</translation>
    </message>
    <message>
        <source>Visible range</source>
        <translation>可见范围</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Waiting calls</source>
        <translation>等待调用</translation>
    </message>
    <message>
        <source>Waiting for pages</source>
        <translation>等待页</translation>
    </message>
    <message>
        <source>Waits for other ranks</source>
        <translation>等待其他 rank</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页 (*.html)</translation>
    </message>
    <message>
        <source>Web page (*.html);;Markdown (*.md);;JSON (*.json)</source>
        <translation>网页 (*.html);;Markdown (*.md);;JSON (*.json)</translation>
    </message>
    <message>
        <source>What</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>What &amp;is this?</source>
        <translation>这是什么(&amp;I)</translation>
    </message>
    <message>
        <source>What do you want to know?</source>
        <translation>想知道什么？</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>假设分析</translation>
    </message>
    <message>
        <source>What if this were fixed?</source>
        <translation>如果修复了它会怎样？</translation>
    </message>
    <message>
        <source>What limits the run: headline, top findings, checklist, what ran</source>
        <translation>什么限制了这次运行：标题、主要问题、检查清单、运行内容</translation>
    </message>
    <message>
        <source>What of the steps is shown</source>
        <translation>显示步的哪一方面</translation>
    </message>
    <message>
        <source>What ran</source>
        <translation>运行内容</translation>
    </message>
    <message>
        <source>What the colors mean</source>
        <translation>颜色的含义</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>怎么办</translation>
    </message>
    <message>
        <source>What was recorded, on which machine, and problems while reading</source>
        <translation>录制了什么、在哪台机器上，以及读取时的问题</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Where step time changes from A to B</source>
        <translation>从 A 到 B 步时间的变化</translation>
    </message>
    <message>
        <source>Where the time of each step, and of the selected range, went on the GPU</source>
        <translation>每一步和选中范围的 GPU 时间用在哪里</translation>
    </message>
    <message>
        <source>Where the time of each training step or iteration goes</source>
        <translation>每个训练步或迭代的时间用在哪里</translation>
    </message>
    <message>
        <source>Where time goes</source>
        <translation>时间用在哪里</translation>
    </message>
    <message>
        <source>Where time went by stacks: CPU samples, blocked calls, NVTX ranges, CUDA calls</source>
        <translation>按栈划分的时间：CPU 采样、阻塞的调用、NVTX 范围、CUDA 调用</translation>
    </message>
    <message>
        <source>Which kernels count as one name</source>
        <translation>哪些 kernel 算作同一个名称</translation>
    </message>
    <message>
        <source>Which of two runs is faster, and where the time went</source>
        <translation>两次运行中哪一次更快，时间变化在哪里</translation>
    </message>
    <message>
        <source>Which rank is late, step by step, and why</source>
        <translation>逐步显示哪个 rank 迟到及其原因</translation>
    </message>
    <message>
        <source>Whole</source>
        <translation>总时长</translation>
    </message>
    <message>
        <source>Whole bytes</source>
        <translation>完整字节</translation>
    </message>
    <message>
        <source>Whole report</source>
        <translation>整份报告</translation>
    </message>
    <message>
        <source>Whole time</source>
        <translation>完整时间</translation>
    </message>
    <message>
        <source>Why it matters</source>
        <translation>为什么重要</translation>
    </message>
    <message>
        <source>Why ranks wait</source>
        <translation>rank 为什么等待</translation>
    </message>
    <message>
        <source>With</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>With SQLite, which is slower: %1.</source>
        <translation>用 SQLite 读取，较慢：%1。</translation>
    </message>
    <message>
        <source>With start-up and end. &lt;a href='bar:all'&gt;Exclude start-up and end&lt;/a&gt;</source>
        <translation>含初始化和结束。&lt;a href='bar:all'&gt;不含初始化和结束&lt;/a&gt;</translation>
    </message>
    <message>
        <source>With the change</source>
        <translation>改动之后</translation>
    </message>
    <message>
        <source>With the change, %1: a saving of %2 (%3 to %4).</source>
        <translation>采用该改动后，%1：节省 %2（%3 到 %4）。</translation>
    </message>
    <message>
        <source>Without the change of the finding: no option describes it.</source>
        <translation>不含该问题的改动：没有选项可以描述它。</translation>
    </message>
    <message>
        <source>Without the profiler: %1 (%2 to %3).</source>
        <translation>不使用 profiler 时：%1（%2 到 %3）。</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>Writing %1 was cancelled.</source>
        <translation>已取消写入 %1。</translation>
    </message>
    <message>
        <source>Writing %1 …</source>
        <translation>正在写入 %1 …</translation>
    </message>
    <message>
        <source>Your bookmarks and notes</source>
        <translation>书签和笔记</translation>
    </message>
    <message>
        <source>Your text. Double-click to edit.</source>
        <translation>自己写的文字。双击可编辑。</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>缩小(&amp;O)</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Zoom in at the center</source>
        <translation>以中心放大</translation>
    </message>
    <message>
        <source>Zoom in at the pointer</source>
        <translation>以指针为中心放大</translation>
    </message>
    <message>
        <source>Zoom in at the pointer while the key is held</source>
        <translation>按住按键时以指针为中心放大</translation>
    </message>
    <message>
        <source>Zoom out at the center</source>
        <translation>以中心缩小</translation>
    </message>
    <message>
        <source>Zoom out at the pointer</source>
        <translation>以指针为中心缩小</translation>
    </message>
    <message>
        <source>Zoom out at the pointer while the key is held</source>
        <translation>按住按键时以指针为中心缩小</translation>
    </message>
    <message>
        <source>Zoom to &amp;whole report</source>
        <translation>缩放到整份报告(&amp;W)</translation>
    </message>
    <message>
        <source>Zoom to an event</source>
        <translation>缩放到事件</translation>
    </message>
    <message>
        <source>Zoom to event</source>
        <translation>缩放到事件</translation>
    </message>
    <message>
        <source>Zoom to range</source>
        <translation>缩放到该范围</translation>
    </message>
    <message>
        <source>Zoom to se&amp;lection</source>
        <translation>缩放到选中内容(&amp;L)</translation>
    </message>
    <message>
        <source>Zoom to the event</source>
        <translation>缩放到该事件</translation>
    </message>
    <message>
        <source>Zoom to the selected event</source>
        <translation>缩放到选中的事件</translation>
    </message>
    <message>
        <source>Zoom to the selected event or range, or to the whole report</source>
        <translation>缩放到选中的事件或范围，或整份报告</translation>
    </message>
    <message>
        <source>Zoom to the selected range or event</source>
        <translation>缩放到选中的范围或事件</translation>
    </message>
    <message>
        <source>Zoom to the selection, like F, while the timeline has focus</source>
        <translation>焦点在时间线上时缩放到选中内容，与 F 相同</translation>
    </message>
    <message>
        <source>Zoom to what is selected</source>
        <translation>缩放到选中的内容</translation>
    </message>
    <message>
        <source>a file</source>
        <translation>某个文件</translation>
    </message>
    <message>
        <source>a guess</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>about %1 (%2)</source>
        <translation>约 %1 (%2)</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>高于 %1</translation>
    </message>
    <message>
        <source>aligned at an event; %1 steps</source>
        <translation>按事件对齐；%1 步</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>and %1 more: filter or sort to see them</source>
        <translation>以及另外 %1 个：筛选或排序可以看到它们</translation>
    </message>
    <message>
        <source>another range</source>
        <translation>另一个范围</translation>
    </message>
    <message>
        <source>arrives</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>在 %1</translation>
    </message>
    <message>
        <source>at the recorded %1 MHz: %2</source>
        <translation>按录制的 %1 MHz：%2</translation>
    </message>
    <message>
        <source>beyond noise</source>
        <translation>超出噪声</translation>
    </message>
    <message>
        <source>blame %1</source>
        <translation>责任 %1</translation>
    </message>
    <message>
        <source>busy %1</source>
        <translation>忙 %1</translation>
    </message>
    <message>
        <source>busy for %1 of the view</source>
        <translation>在视图中忙 %1</translation>
    </message>
    <message>
        <source>but not on the GPU, which had queued work</source>
        <translation>但 GPU 上不是，因为队列中有工作</translation>
    </message>
    <message>
        <source>came last</source>
        <translation>最后到达</translation>
    </message>
    <message>
        <source>comparing…</source>
        <translation>正在对比…</translation>
    </message>
    <message>
        <source>comparison failed</source>
        <translation>对比失败</translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation>计算 %1</translation>
    </message>
    <message>
        <source>compute capability %1.%2</source>
        <translation>计算能力 %1.%2</translation>
    </message>
    <message>
        <source>compute-bound</source>
        <translation>计算受限</translation>
    </message>
    <message>
        <source>copies during compute %1</source>
        <translation>计算时的拷贝 %1</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>exposed part</source>
        <translation>暴露部分</translation>
    </message>
    <message>
        <source>exposed wait %1</source>
        <translation>暴露的等待 %1</translation>
    </message>
    <message>
        <source>faster</source>
        <translation>更快</translation>
    </message>
    <message>
        <source>fewer calls</source>
        <translation>调用更少</translation>
    </message>
    <message>
        <source>first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>for information</source>
        <translation>供参考</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>从 %1 开始</translation>
    </message>
    <message>
        <source>from its thread</source>
        <translation>由其线程启动</translation>
    </message>
    <message>
        <source>from other threads</source>
        <translation>由其他线程启动</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>消失</translation>
    </message>
    <message>
        <source>grown</source>
        <translation>增大</translation>
    </message>
    <message>
        <source>held up others</source>
        <translation>推迟其他 rank</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>highlighted: %1 × %2</source>
        <translation>突出显示：%1 × %2</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>空闲 %1</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>in all</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>instance %1</source>
        <translation>第 %1 个</translation>
    </message>
    <message>
        <source>is being read</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>kernels reach %1 of the roofline</source>
        <translation>kernel 达到 Roofline 的 %1</translation>
    </message>
    <message>
        <source>larger</source>
        <translation>变大</translation>
    </message>
    <message>
        <source>last step, to the end of its work</source>
        <translation>最后一步，到其工作结束</translation>
    </message>
    <message>
        <source>last step: %1 on the GPU, to the end of its work</source>
        <translation>最后一步：GPU 上 %1（到其工作结束）</translation>
    </message>
    <message>
        <source>last step: only to the end of its work</source>
        <translation>最后一步：只到其工作结束</translation>
    </message>
    <message>
        <source>launch-bound</source>
        <translation>受启动开销限制</translation>
    </message>
    <message>
        <source>longer than drawn</source>
        <translation>比所画的更长</translation>
    </message>
    <message>
        <source>longer than drawn: %1 in all</source>
        <translation>比所画的更长：共 %1</translation>
    </message>
    <message>
        <source>longest %1</source>
        <translation>最长 %1</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>max %1, logarithmic</source>
        <translation>最大 %1，对数</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>平均 %1</translation>
    </message>
    <message>
        <source>mean of %1 GPUs</source>
        <translation>%1 个 GPU 的平均</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>中位数 %1</translation>
    </message>
    <message>
        <source>median %1 on the GPU, %2 on the host</source>
        <translation>中位数：GPU 上 %1，主机上 %2</translation>
    </message>
    <message>
        <source>median %1 on the host</source>
        <translation>主机上的中位数 %1</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>中</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>显存 %1</translation>
    </message>
    <message>
        <source>memory-bound</source>
        <translation>访存受限</translation>
    </message>
    <message>
        <source>more calls</source>
        <translation>调用更多</translation>
    </message>
    <message>
        <source>mpirun</source>
        <translation>mpirun</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>no common steps</source>
        <translation>没有共同的步</translation>
    </message>
    <message>
        <source>no ranges inside</source>
        <translation>其中没有范围</translation>
    </message>
    <message>
        <source>no ranges inside; see GPU time for where their time goes</source>
        <translation>内部没有范围；时间用在哪里请看“GPU 时间”</translation>
    </message>
    <message>
        <source>no row</source>
        <translation>没有行</translation>
    </message>
    <message>
        <source>no runs are compared, or one is being read</source>
        <translation>没有正在对比的运行，或其中一个正在读取</translation>
    </message>
    <message>
        <source>noise up to %1</source>
        <translation>噪声最多 %1</translation>
    </message>
    <message>
        <source>not aligned</source>
        <translation>未对齐</translation>
    </message>
    <message>
        <source>not comparable</source>
        <translation>无法对比</translation>
    </message>
    <message>
        <source>not in this rank's report</source>
        <translation>不在该 rank 的报告中</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>nsys</source>
        <translation>nsys</translation>
    </message>
    <message>
        <source>nsys &amp;table…</source>
        <translation>nsys 表(&amp;T)…</translation>
    </message>
    <message>
        <source>nsys converts recordings (.nsys-rep, .qdrep) when you open them.</source>
        <translation>打开录制文件（.nsys-rep、.qdrep）时由 nsys 转换。</translation>
    </message>
    <message>
        <source>nsys export failed for %1: %2</source>
        <translation>对 %1 执行 nsys export 失败：%2</translation>
    </message>
    <message>
        <source>nsys table</source>
        <translation>nsys 表</translation>
    </message>
    <message>
        <source>nsys tables</source>
        <translation>nsys 表</translation>
    </message>
    <message>
        <source>of the time</source>
        <translation>占时间</translation>
    </message>
    <message>
        <source>on the GPU</source>
        <translation>在 GPU 上</translation>
    </message>
    <message>
        <source>on the host</source>
        <translation>在主机上</translation>
    </message>
    <message>
        <source>only %1</source>
        <translation>只有%1</translation>
    </message>
    <message>
        <source>only Nsight Systems exports can be cut, not traces</source>
        <translation>只能裁剪 Nsight Systems 导出，不能裁剪跟踪</translation>
    </message>
    <message>
        <source>only communication %1</source>
        <translation>只有通信 %1</translation>
    </message>
    <message>
        <source>only copies %1</source>
        <translation>只有拷贝 %1</translation>
    </message>
    <message>
        <source>only rows with events in view</source>
        <translation>只有视图内有事件的行</translation>
    </message>
    <message>
        <source>open two reports first</source>
        <translation>请先打开两份报告</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
    <message>
        <source>other %1</source>
        <translation>其他 %1</translation>
    </message>
    <message>
        <source>outlier</source>
        <translation>离群值</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>p99.9</source>
        <translation>p99.9</translation>
    </message>
    <message>
        <source>part of a recording</source>
        <translation>录制的一部分</translation>
    </message>
    <message>
        <source>range on the host</source>
        <translation>主机上的范围</translation>
    </message>
    <message>
        <source>ranges</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>ranges: A %1, B %2</source>
        <translation>范围：A %1，B %2</translation>
    </message>
    <message>
        <source>rows: %1</source>
        <translation>行：%1</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>selected: mean %1, min %2, max %3</source>
        <translation>选中：平均 %1，最小 %2，最大 %3</translation>
    </message>
    <message>
        <source>set by hand</source>
        <translation>手动设置</translation>
    </message>
    <message>
        <source>shortest, mean and longest</source>
        <translation>最短、平均和最长</translation>
    </message>
    <message>
        <source>shrunk</source>
        <translation>减小</translation>
    </message>
    <message>
        <source>slower</source>
        <translation>更慢</translation>
    </message>
    <message>
        <source>smaller</source>
        <translation>变小</translation>
    </message>
    <message>
        <source>start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>steady step</source>
        <translation>稳态步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1 of %2: A %3, B %4</source>
        <translation>第 %1 步，共 %2 步：A %3，B %4</translation>
    </message>
    <message>
        <source>the report contains no events</source>
        <translation>报告没有事件</translation>
    </message>
    <message>
        <source>the report is not read completely</source>
        <translation>报告没有完整读取</translation>
    </message>
    <message>
        <source>the sample is not installed</source>
        <translation>未安装示例</translation>
    </message>
    <message>
        <source>the selected event, %1</source>
        <translation>选中的事件，%1</translation>
    </message>
    <message>
        <source>this GPU</source>
        <translation>这个 GPU</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>transfers for %1</source>
        <translation>传输 %1</translation>
    </message>
    <message>
        <source>up to %1 (%2)</source>
        <translation>最多 %1 (%2)</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>平常</translation>
    </message>
    <message>
        <source>varies</source>
        <translation>不定</translation>
    </message>
    <message>
        <source>waiting for pages %1</source>
        <translation>等待页 %1</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>waits %1 for %2, then transfers for %3</source>
        <translation>等待 %2 %1，然后传输 %3</translation>
    </message>
    <message>
        <source>waits for nsys</source>
        <translation>等待 nsys</translation>
    </message>
    <message>
        <source>waits from the reports of the other ranks</source>
        <translation>等待时间取自其他 rank 的报告</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>whole report</source>
        <translation>整份报告</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>± %1</source>
        <translation>± %1</translation>
    </message>
    <message>
        <source>× </source>
        <translation>× </translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>← no arithmetic</source>
        <translation>← 没有算术运算</translation>
    </message>
    <message>
        <source>≈: expected saving, from a replay of the steps. ≤: upper bound of the time saved by fixing only this.</source>
        <translation>≈：重放各步得出的预计节省时间。≤：只修复这一项时可节省时间的上限。</translation>
    </message>
</context>
</TS>
