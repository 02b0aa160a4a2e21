/// The samples on a page in Prometheus' text format.
package struct MetricsPage {
    package struct Sample {
        package let name: String
        package let labels: [String: String]
        package let value: Double
    }

    package struct InvalidLine: Error {
        let line: String
    }

    package let samples: [Sample]

    package init(_ page: [UInt8]) throws {
        let lines = String(decoding: page, as: UTF8.self).unicodeScalars.split(separator: "\n").map(String.init)
        samples = try lines.filter { !$0.hasPrefix("#") }.map(Self.sample)
    }

    private static func sample(_ line: String) throws -> Sample {
        let form = /(?s)(\w+)(?:\{(.+)\})? (\S+)/.matchingSemantics(.unicodeScalar)
        let label = /(?s)(\w+)="((?:[^"\\]|\\.)*)"/.matchingSemantics(.unicodeScalar)
        guard let (_, name, list, number) = try form.wholeMatch(in: line)?.output, let value = Double(number) else {
            throw InvalidLine(line: line)
        }
        let labels = (list ?? "").matches(of: label).map { (String($0.1), unescaped($0.2)) }
        return Sample(name: String(name), labels: Dictionary(uniqueKeysWithValues: labels), value: value)
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing(/(?s)\\(.)/.matchingSemantics(.unicodeScalar)) { $0.1 == "n" ? "\n" : String($0.1) }
    }

    /// The samples with a name.
    package func samples(of name: String) -> [Sample] { samples.filter { $0.name == name } }

    /// The value of the sample with this name and these labels.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }
}
