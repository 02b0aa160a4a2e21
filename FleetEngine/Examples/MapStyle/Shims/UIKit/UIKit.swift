// What the adapters touch of UIKit, by its names and isolation.

public import Foundation

/// A color.
public final class UIColor: NSObject, Sendable {
    /// The components, from 0 to 1: red, green, blue, opacity.
    public let components: [Double]

    /// As UIKit has it.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
        components = [red, green, blue, alpha]
    }
}

/// An image.
public final class UIImage: NSObject, Sendable {}

/// A view.
@MainActor
open class UIView: NSObject {
    /// As UIKit has it.
    override public nonisolated init() { super.init() }
}
