/// Where settings stand in the file, and which of them name files.
package struct ConfigurationLocations: Sendable {
    /// The line of each setting, by the way to it.
    private(set) var lines: [String: Int] = [:]
    /// The settings that name a file, each with the file's path, by each setting that holds them.
    private var files: [String: [(setting: String, path: String)]] = [:]

    /// Creates places without any setting.
    package init() {}

    /// Remembers where a setting stands.
    mutating func note(_ setting: String, line: Int?) {
        lines[setting] = line
    }

    /// Remembers that a setting names a file.
    mutating func note(_ setting: String, file: String) {
        var holder = setting[...]
        while true {
            files[String(holder), default: []].append((setting, file))
            guard let end = holder.lastIndex(where: Self.beginsPart) else { return }
            holder = holder[..<end]
        }
    }

    private static func beginsPart(_ character: Character) -> Bool { character == "." || character == "[" }

    /// The line of a setting; where the file has none, that of the closest one that should hold it.
    func line(of setting: String) -> Int? {
        var place = setting[...]
        while lines[String(place)] == nil, let end = place.lastIndex(where: Self.beginsPart) {
            place = place[..<end]
        }
        return lines[String(place)]
    }

    /// Finds the setting that a fault is about, for faults that are found after the file was read.
    ///
    /// - Parameter fault: A text that may begin with the way to a setting, such as `kinds.driver: …`, and may name a file.
    /// - Returns: The fault with its setting and line, as far as they can be told.
    package func problem(_ fault: String) -> ConfigurationProblem {
        let parts = fault.split(separator: ": ", maxSplits: 1)
        guard parts.count == 2, parts[0].utf8.allSatisfy(Self.isInSetting) else {
            // It may be about several settings; the first has the line.
            return ConfigurationProblem(path: "", line: lines[String(fault.prefix { $0 != " " })], message: fault)
        }
        var (place, message) = (String(parts[0]), String(parts[1]))
        // What makes all callers names the one that it is about.
        if let end = message.firstRange(of: ": "), lines["\(place).\(message[..<end.lowerBound])"] != nil {
            (place, message) = ("\(place).\(message[..<end.lowerBound])", String(message[end.upperBound...]))
        }
        // The longest path first: one file's may be the beginning of another's.
        let setting = (files[place] ?? []).filter { message.contains($0.path) }
            .max { $0.path.utf8.count < $1.path.utf8.count }?
            .setting
        let path = setting ?? place
        return ConfigurationProblem(path: path, line: line(of: path), message: message)
    }

    private static func isInSetting(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "/")
    }
}
