/// A number in proto3's JSON mapping, which may be a string as well.
package enum ProtoNumber {
    /// Returns the number of a text such as `-1.5` or `1e2`; nil if it is none, or a `Double` cannot hold it.
    package static func parse(_ text: String) -> Double? {
        // Double also reads hexadecimal digits and names.
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
