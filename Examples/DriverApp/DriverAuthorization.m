@import Foundation;
@import GoogleRidesharingDriver;
@import TokenProvider;

/// Gives the Driver SDK its tokens. Copy this class into the app.
@interface DriverAuthorization : NSObject <GMTDAuthorization>
- (nonnull instancetype)initWithProvider:(nonnull FTTokenProvider *)provider;
@end

@implementation DriverAuthorization {
  FTTokenProvider *_provider;
}

- (nonnull instancetype)initWithProvider:(nonnull FTTokenProvider *)provider {
  if ((self = [super init])) _provider = provider;
  return self;
}

- (void)fetchTokenWithContext:(nullable GMTDAuthorizationContext *)authorizationContext
                   completion:(nonnull GMTDAuthTokenFetchCompletionHandler)completion {
  [_provider fetchTokenWithDeliveryVehicleID:authorizationContext.vehicleID
                                  completion:^(NSString *token, NSError *error) {
    if ([error.userInfo[@"FleetTokenRemedy"] isEqualToString:@"developer"]) NSLog(@"%@", error.localizedDescription);
    completion(token, error);
  }];
}

@end

/// Creates the provider of the driver who is signed in.
///
/// `accessToken` calls its second argument once: with a token, or with nil for both if nobody is signed in.
FTTokenProvider *_Nonnull MakeTokenProvider(
    NSURL *_Nonnull serverURL,
    void (^_Nonnull accessToken)(BOOL isRenewed, void (^_Nonnull completion)(NSString *_Nullable, NSError *_Nullable))) {
  return [[FTTokenProvider alloc]
      initWithServerURL:serverURL
            credentials:^(BOOL wereRejected, void (^completion)(NSDictionary<NSString *, NSString *> *, NSError *)) {
    accessToken(wereRejected, ^(NSString *token, NSError *error) {
      completion(token ? @{@"Authorization" : [@"Bearer " stringByAppendingString:token]} : nil, error);
    });
  }];
}

/// Returns the SDK's context, or nil until the driver has accepted the Navigation SDK's terms, before which the map has no
/// navigator.
GMTDDriverContext *_Nullable MakeDriverContext(FTTokenProvider *_Nonnull provider, NSString *_Nonnull vehicleID,
                                               GMSMapView *_Nonnull mapView) {
  GMSNavigator *navigator = mapView.navigator;
  if (!navigator) return nil;
  return [[GMTDDriverContext alloc]
      initWithAccessTokenProvider:[[DriverAuthorization alloc] initWithProvider:provider]
                       providerID:@"my-project"
                        vehicleID:vehicleID
                        navigator:navigator];
}
