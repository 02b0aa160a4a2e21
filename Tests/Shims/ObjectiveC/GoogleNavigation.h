// What the Objective-C examples use of Google's Navigation SDK. The reference is at
// https://developers.google.com/maps/documentation/navigation/ios-sdk/reference/objc/

@import Foundation;

@interface GMSNavigator : NSObject
@end

@interface GMSMapView : NSObject
@property (readonly) GMSNavigator * _Nullable navigator;
@end
