// What the stand-ins and examples use of UIKit: https://developer.apple.com/documentation/uikit

public import Foundation

/// A view.
@MainActor
open class UIView: NSObject {
    /// As UIKit has it.
    override public nonisolated init() { super.init() }
}
