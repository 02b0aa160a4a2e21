import Foundation

/// The plan as a picture: a fleet's tokens a second during a day, and after an outage.
package struct Picture: CustomStringConvertible {
    /// A diagram within the picture.
    private struct Diagram {
        let title: String
        let left: Double
        let times: ClosedRange<Double>
        let ticks: [Double]
        let most: Double

        static let width = 400.0
        static let top = 60.0
        static let height = 220.0

        func point(_ time: Double, _ value: Double) -> String {
            let x = left + (time - times.lowerBound) / (times.upperBound - times.lowerBound) * Self.width
            let y = Self.top + Self.height * (1 - value / most)
            return String(format: "%.1f,%.1f", x, y)
        }

        func line(_ points: [(time: Double, value: Double)], color: String) -> String {
            let text = points.map { point($0.time, $0.value) }.joined(separator: " ")
            return "<polyline points=\"\(text)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.5\"/>"
        }

        var frame: [String] {
            let bottom = Self.top + Self.height
            let grid = [0, 0.25, 0.5, 0.75, 1].flatMap { share -> [String] in
                let y = bottom - share * Self.height
                return [
                    "<path d=\"M\(left) \(y)h\(Self.width)\" stroke=\"#dddddd\"/>",
                    "<text x=\"\(left - 6)\" y=\"\(y + 4)\" text-anchor=\"end\">\(Table.number(share * most))</text>",
                ]
            }
            let labels = ticks.map { tick -> String in
                let x = left + (tick - times.lowerBound) / (times.upperBound - times.lowerBound) * Self.width
                let minutes = Int(tick / 60)
                let text = String(format: "%02d:%02d", minutes / 60, minutes % 60)
                return "<text x=\"\(x)\" y=\"\(bottom + 18)\" text-anchor=\"middle\">\(text)</text>"
            }
            return ["<text x=\"\(left)\" y=\"40\" font-weight=\"bold\">\(title)</text>"] + grid + labels
        }
    }

    private static let answered = "#1f5fa8"
    private static let failed = "#c0392b"
    private let plan: Plan
    private let needs: Needs

    /// Creates the picture of a fleet of a number of vehicles.
    package init(_ plan: Plan, vehicles: Int) {
        self.plan = plan
        needs = plan.needs(of: vehicles)
    }

    package var description: String {
        let name = Table.number(Double(needs.vehicles)) + " vehicles"
        let day = Diagram(
            title: "Tokens a second, \(name), a usual day",
            left: 60,
            times: 0...86_400,
            ticks: [0, 6, 12, 18, 24].map { $0 * 3_600 },
            most: Self.ceiling(plan.usual.peak(over: 60, \.answered) * needs.factor)
        )
        let end = plan.outage.upperBound
        let around = end - 900...end + 600
        let most = max(plan.disturbed.peak(over: 1, \.answered), plan.disturbed.peak(over: 1, \.failed))
        let surge = Diagram(
            title: "Around an outage: requests failed (red) and answered",
            left: 540,
            times: around,
            ticks: [-900, -600, 0, 600].map { end + $0 },
            most: Self.ceiling(most * needs.factor)
        )
        let lines =
            day.frame + [day.line(points(of: plan.usual, in: 0...86_400, over: 60, \.answered), color: Self.answered)]
            + surge.frame
            + [
                surge.line(points(of: plan.disturbed, in: around, over: 1, \.failed), color: Self.failed),
                surge.line(points(of: plan.disturbed, in: around, over: 1, \.answered), color: Self.answered),
            ]
        let font = "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\""
        let title = "<title>Tokens a second of \(name) during a day, and around an outage of ten minutes</title>"
        let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 980 320\" \(font)>"
        let background = "<rect width=\"980\" height=\"320\" fill=\"#ffffff\"/>"
        return ([head, title, background] + lines + ["</svg>"]).joined(separator: "\n")
    }

    /// Returns means of a number of intervals.
    private func points(
        of demand: Demand,
        in times: ClosedRange<Double>,
        over window: Int,
        _ value: (Demand.Interval) -> Double
    ) -> [(time: Double, value: Double)] {
        stride(from: 0, to: demand.intervals.count, by: window).compactMap { index in
            let time = Double(index) * Demand.step
            guard times.contains(time) else { return nil }
            let sum = demand.intervals[index..<index + window].reduce(0) { $0 + value($1) }
            return (time, sum * needs.factor / (Double(window) * Demand.step))
        }
    }

    /// Rounds up to a number that four lines divide well.
    private static func ceiling(_ value: Double) -> Double {
        let unit = pow(10, log10(value).rounded(.down))
        return (value / unit * 2.5).rounded(.up) / 2.5 * unit
    }
}
