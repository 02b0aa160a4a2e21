import UIKit

/// What the test needs of UIKit: a file that imports it and Testing would need Apple's module of both.
enum MapImages {
    static let empty = UIImage()
    @MainActor static let emptyView = UIView()

    static func components(_ color: UIColor?) -> [Double]? { color?.components }
}
