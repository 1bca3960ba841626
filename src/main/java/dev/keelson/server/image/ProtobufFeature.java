package dev.keelson.server.image;

import org.graalvm.nativeimage.hosted.Feature;

/**
 * Initializes the descriptors of protobuf before the builder's threads look at them. {@code
 * DescriptorProtos} and {@code JavaFeaturesProto} need each other, and protobuf fails if the second
 * is initialized first (quarkusio/quarkus issue 50428): which of them a thread finds first is
 * chance.
 */
public final class ProtobufFeature implements Feature {

  @Override
  public String getDescription() {
    return "Initializes protobuf's descriptors in their order";
  }

  @Override
  public void afterRegistration(AfterRegistrationAccess access) {
    try {
      Class.forName(
          "com.google.protobuf.DescriptorProtos", true, access.getApplicationClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("protobuf is not on the class path", e);
    }
  }
}
