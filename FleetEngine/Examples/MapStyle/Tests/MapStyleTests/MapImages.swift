import UIKit

/// What the tests need of UIKit: a file that imports it and Testing would need Apple's module of both.
enum MapImages {
    static let car = UIImage()
    static let eta = UIImage()

    static func components(_ color: UIColor?) -> [Double]? { color?.components }
}
