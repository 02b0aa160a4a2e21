/// A color of the sRGB color space, with eight bits for each component.
nonisolated struct StyleColor: Hashable, Sendable {
    /// The red component, from 0 to 255.
    var red: UInt8
    /// The green component, from 0 to 255.
    var green: UInt8
    /// The blue component, from 0 to 255.
    var blue: UInt8
    /// The opacity, from 0 to 255; 255 is opaque.
    var alpha: UInt8

    /// Creates a color from its components.
    init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

}

nonisolated extension StyleColor {
    /// The blue of the active route.
    static let blue = Self(red: 0x1A, green: 0x6B, blue: 0xE0)
    /// The gray of the remaining route.
    static let gray = Self(red: 0x7B, green: 0x87, blue: 0x94)
    /// The dark gray of stretches without traffic data.
    static let slate = Self(red: 0x5F, green: 0x6B, blue: 0x7A)
    /// The orange of slow traffic.
    static let orange = Self(red: 0xE8, green: 0x93, blue: 0x0C)
    /// The red of a traffic jam.
    static let red = Self(red: 0xD3, green: 0x2F, blue: 0x2F)
    /// Yellow, as in the guide's example.
    static let yellow = Self(red: 0xFF, green: 0xFF, blue: 0x00)
    /// Purple, as in the guide's example.
    static let purple = Self(red: 0x80, green: 0x00, blue: 0x80)
}
