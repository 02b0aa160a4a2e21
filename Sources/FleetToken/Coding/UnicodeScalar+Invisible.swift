extension Unicode.Scalar {
    /// Whether a terminal would interpret it or not show it: a control, a line separator, a format control such as a
    /// bidirectional one, a default ignorable, or one of private use or unassigned.
    package var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}
