// What the Objective-C examples touch of Objective-C itself, and what Swift needs to make a header of its own.

#define nil ((id)0)
typedef signed char BOOL;
typedef long NSInteger;
typedef double NSTimeInterval;
#define NS_ENUM(type, name) enum name : type name; enum name : type
#define NS_UNAVAILABLE __attribute__((unavailable))

@protocol NSObject
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (nonnull instancetype)alloc;
- (nonnull instancetype)init;
@end

#define YES __objc_yes
#define NO __objc_no
