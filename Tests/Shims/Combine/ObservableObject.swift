// What the examples use of Combine, which SwiftUI exports: https://developer.apple.com/documentation/combine

/// A model whose changes views show.
public protocol ObservableObject: AnyObject {}

/// A property whose changes views show.
@propertyWrapper
public struct Published<Value> {
    /// As Combine has it.
    public var wrappedValue: Value

    /// As Combine has it.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}
