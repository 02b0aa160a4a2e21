// What the Objective-C examples use of Google's Driver SDK. The reference is at
// https://developers.google.com/maps/documentation/mobility/driver-sdk/scheduled/reference/ios/

@import Foundation;
@import GoogleNavigation;

typedef void (^GMTDAuthTokenFetchCompletionHandler)(NSString * _Nullable, NSError * _Nullable);

@interface GMTDAuthorizationContext : NSObject
@property (readonly, copy) NSString * _Nonnull vehicleID;
@property (readonly, copy) NSString * _Nullable taskID;
@end

@protocol GMTDAuthorization <NSObject>
- (void)fetchTokenWithContext:(nullable GMTDAuthorizationContext *)authorizationContext
                   completion:(nonnull GMTDAuthTokenFetchCompletionHandler)completion;
@end

@interface GMTDDriverContext : NSObject
- (nonnull instancetype)initWithAccessTokenProvider:(nonnull id<GMTDAuthorization>)accessTokenProvider
                                         providerID:(nonnull NSString *)providerID
                                          vehicleID:(nonnull NSString *)vehicleID
                                          navigator:(nonnull GMSNavigator *)navigator;
@end
