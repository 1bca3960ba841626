package dev.keelson.storage.encryption.kms;

import dev.keelson.storage.encryption.TransformationListener.Direction;

/** Takes what metrics tell about key management services; called on the thread that calls. */
public interface KmsListener {

  /**
   * A call ended.
   *
   * @param method the full name, such as {@code /v2.KeyManagementService/Status}
   * @param status the gRPC code in Go's spelling
   * @param nanos the duration in nanoseconds
   */
  void called(String provider, String method, String status, long nanos);

  /** A key encrypted or decrypted a value. */
  void keyUsed(Direction direction, String provider, String keyId);

  /** A seed was not in memory, so that the service was asked. */
  void cacheMissed();

  /**
   * A seed was added to those in memory.
   *
   * @param seeds how many are there now
   */
  void seedKept(String provider, long seeds);

  /**
   * A seed was generated.
   *
   * @param nanos the duration in nanoseconds
   */
  void seedGenerated(long nanos);
}
