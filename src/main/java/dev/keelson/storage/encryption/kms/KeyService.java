package dev.keelson.storage.encryption.kms;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.TransformationException;
import java.util.Map;

/**
 * A key management service (k8s.io/kms apis/v2). Every call blocks until its time limit at most and
 * throws {@link TransformationException} with the text of Go's gRPC client.
 */
public interface KeyService extends AutoCloseable {

  /**
   * The state of a service.
   *
   * @param version of the API, {@code v2} or {@code v2beta1}
   * @param healthz {@code ok} if it is healthy
   * @param keyId the key that it encrypts with
   */
  record Status(String version, String healthz, String keyId) {}

  /**
   * An encrypted text.
   *
   * @param keyId the key that encrypted it
   * @param annotations what the service wants to be given for decryption
   */
  record Encrypted(Bytes ciphertext, String keyId, Map<String, Bytes> annotations) {
    public Encrypted {
      annotations = Map.copyOf(annotations);
    }
  }

  /** The state of the service. */
  Status status();

  /**
   * Encrypts a text.
   *
   * @param uid identifies the call in logs
   */
  Encrypted encrypt(String uid, Bytes plaintext);

  /**
   * Decrypts a text.
   *
   * @param uid identifies the call in logs
   */
  Bytes decrypt(String uid, Encrypted encrypted);

  /** Ends the connection; may be called twice. */
  @Override
  void close();
}
