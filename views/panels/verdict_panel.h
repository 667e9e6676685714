#pragma once

#include "core/compare/comparison.h"
#include "views/panels/panel.h"
#include "views/session/run_pair.h"

#include <memory>

class QLabel;

namespace warpline {

class CompareStepPlot;
class CompareWaterfall;
class EmptyState;

/// The result for two compared runs: the verdict, where the time of a step went, the length of each step, and
/// the differences of the recordings. The tables behind it are in ComparePanel.
class VerdictPanel : public Panel {
    Q_OBJECT
public:
    VerdictPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    /// Instead of a result when RunPair::hasFailed().
    static QString failureText();
    void setTheme(const Theme& theme) override;
    bool isBusy() const override { return m_session.pair().isBusy(); }
    void preferencesChanged() override;
    const QLabel& verdict() const { return *m_verdict; }
    const QLabel& facts() const { return *m_facts; }
    CompareWaterfall& waterfall() { return *m_waterfall; }
    CompareStepPlot& steps() { return *m_steps; }

protected:
    void showReport() override { }
    void clear() override { }

private:
    void follow(const QString& link);
    void draw();
    /// Shows the `place`th counted step of `side`, above the matching step of the other side.
    void chooseStep(Side side, std::size_t place);
    QString verdictText() const; ///< rich
    QString factsText() const; ///< rich

    const Theme* m_theme;
    EmptyState* m_empty; ///< nothing is compared
    QLabel* m_verdict;
    CompareWaterfall* m_waterfall;
    CompareStepPlot* m_steps;
    QLabel* m_facts;
    std::shared_ptr<const Comparison> m_comparison;
    bool m_showsSame = false; ///< the facts that are the same of both
};

} // namespace warpline
