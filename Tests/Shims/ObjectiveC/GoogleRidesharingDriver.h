// What the Objective-C examples touch of Google's Driver SDK.

@import Foundation;

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
                                          navigator:(nullable id)navigator;
@end
