extension String {
    /// The text with everything escaped that could act on a terminal or hide: only visible characters, spaces and line
    /// feeds are left as they are.
    public var harmlessOnTerminal: String {
        var output = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar == "\n": output.append(scalar)
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default: output.append(scalar)
            }
        }
        return String(output)
    }
}
