extension String {
    /// The text with everything escaped that could act on a terminal or hide there; line feeds stay as they are.
    public var harmlessOnTerminal: String {
        var output = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isHarmless || scalar == "\n" {
                output.append(scalar)
            } else {
                output.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            }
        }
        return String(output)
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmless: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}
