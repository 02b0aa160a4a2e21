/// Reads Prometheus' text exposition format 0.0.4, and refuses what a scraper might take amiss.
///
/// Written from the format's description, not from the writer: it is what the tests believe.
package struct ExpositionText {
    package struct Metric: Equatable {
        package var type: String
        package var help: String
        package var samples: [Sample] = []
    }

    package struct Sample: Equatable {
        package let name: String
        package let labels: [String: String]
        package let value: Double
    }

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// What no two samples of a metric share.
    private struct Series: Hashable {
        let name: String
        let labels: [String: String]
    }

    /// The metrics by name.
    package private(set) var metrics: [String: Metric] = [:]
    /// Their names in the order of the page.
    package private(set) var names: [String] = []

    package init(_ bytes: [UInt8]) throws {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Problem(description: "not UTF-8") }
        guard text.isEmpty || bytes.last == 0x0A else { throw Problem(description: "no line feed at the end") }
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }[...]
        lines.removeLast()
        while !lines.isEmpty { try readMetric(&lines) }
    }

    /// The samples of all metrics.
    package var samples: [Sample] { names.flatMap { metrics[$0]?.samples ?? [] } }

    /// The value of the sample with this name and these labels.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private mutating func readMetric(_ lines: inout ArraySlice<String>) throws {
        let help = lines.first?.wholeMatch(of: /(?s)# HELP ([a-zA-Z_][a-zA-Z0-9_]*) (.+)/)
        if help != nil { lines.removeFirst() }
        let typeLine = lines.popFirst() ?? ""
        guard let type = typeLine.wholeMatch(of: /# TYPE ([a-zA-Z_][a-zA-Z0-9_]*) (counter|gauge|histogram)/),
            help.map({ $0.1 == type.1 }) ?? true
        else { throw Problem(description: "not a TYPE line: \(typeLine)") }
        let name = String(type.1)
        guard metrics[name] == nil else { throw Problem(description: "twice: \(name)") }

        var metric = Metric(type: String(type.2), help: try unescape(String(help?.2 ?? ""), quotes: false))
        var series: Set<Series> = []
        while let line = lines.first, !line.hasPrefix("#") {
            lines.removeFirst()
            let sample = try readSample(line)
            guard series.insert(Series(name: sample.name, labels: sample.labels)).inserted else {
                throw Problem(description: "a sample twice: \(line)")
            }
            metric.samples.append(sample)
        }
        guard !metric.samples.isEmpty else { throw Problem(description: "no sample: \(name)") }
        try check(metric, name)
        metrics[name] = metric
        names.append(name)
    }

    private func check(_ metric: Metric, _ name: String) throws {
        switch metric.type {
        case "counter":
            guard name.hasSuffix("_total") else { throw Problem(description: "a counter without _total: \(name)") }
            fallthrough
        case "gauge":
            guard metric.samples.allSatisfy({ $0.name == name }) else {
                throw Problem(description: "a foreign sample in \(name)")
            }
        default:
            for series in Dictionary(grouping: metric.samples, by: { $0.labels.filter { $0.key != "le" } }).values {
                try checkHistogram(series, name)
            }
        }
    }

    private func checkHistogram(_ samples: [Sample], _ name: String) throws {
        let buckets = samples.filter { $0.name == "\(name)_bucket" }
        let bounds = try buckets.map { try number($0.labels["le"] ?? "") }
        guard bounds == bounds.sorted(), Set(bounds).count == bounds.count, bounds.last == .infinity else {
            throw Problem(description: "buckets out of order or without +Inf: \(name)")
        }
        let counts = buckets.map(\.value)
        guard counts == counts.sorted() else { throw Problem(description: "buckets are not cumulative: \(name)") }
        guard samples.count == buckets.count + 2, samples.contains(where: { $0.name == "\(name)_sum" }),
            samples.first(where: { $0.name == "\(name)_count" })?.value == counts.last
        else { throw Problem(description: "no sum, or a count that is not the last bucket: \(name)") }
    }
}

extension ExpositionText {
    private func readSample(_ line: String) throws -> Sample {
        let form = /(?s)([a-zA-Z_][a-zA-Z0-9_]*)(?:\{(.+)\})? ([^ ]+)/.matchingSemantics(.unicodeScalar)
        guard let (_, name, list, value) = try form.wholeMatch(in: line)?.output else {
            throw Problem(description: "not a sample: \(line)")
        }
        let label = /(?s)([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,(?=.)|$)/.matchingSemantics(.unicodeScalar)
        var labels: [String: String] = [:]
        var rest = list ?? ""
        while !rest.unicodeScalars.isEmpty {
            guard let match = try label.prefixMatch(in: rest), labels[String(match.1)] == nil else {
                throw Problem(description: "a bad label: \(line)")
            }
            labels[String(match.1)] = try unescape(String(match.2), quotes: true)
            rest = rest[match.range.upperBound...]
        }
        return Sample(name: String(name), labels: labels, value: try number(String(value)))
    }

    private func unescape(_ text: String, quotes: Bool) throws -> String {
        var unescaped = ""
        var scalars = text.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                unescaped.unicodeScalars.append(scalar)
                continue
            }
            switch scalars.next() {
            case "\\": unescaped += "\\"
            case "n": unescaped += "\n"
            case "\"" where quotes: unescaped += "\""
            default: throw Problem(description: "a bad escape: \(text)")
            }
        }
        return unescaped
    }

    private func number(_ text: String) throws -> Double {
        if let special = ["+Inf": Double.infinity, "-Inf": -.infinity, "NaN": .nan][text] { return special }
        guard let first = text.first, first.isNumber || first == "-", let value = Double(text) else {
            throw Problem(description: "not a number: \(text)")
        }
        return value
    }
}
