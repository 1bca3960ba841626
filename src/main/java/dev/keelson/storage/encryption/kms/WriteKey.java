package dev.keelson.storage.encryption.kms;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.DerivedKeys;
import dev.keelson.storage.encryption.TransformationException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The seed that values are encrypted with.
 *
 * @param seed derives the keys of values
 * @param source the seed as the service encrypted it
 * @param expires when writes with it end, unless the service confirms its key until then
 */
public record WriteKey(DerivedKeys seed, KeyService.Encrypted source, Instant expires) {

  private static final SecureRandom RANDOM = new SecureRandom();

  /**
   * Generates a seed and has the service encrypt it; blocks.
   *
   * @throws TransformationException if the service fails, or its response is not allowed
   */
  public static WriteKey generate(
      KeyService service, String uid, Instant expires, KmsListener listener) {
    long begin = System.nanoTime();
    byte[] seed = new byte[DerivedKeys.LENGTH];
    RANDOM.nextBytes(seed);
    listener.seedGenerated(System.nanoTime() - begin);
    KeyService.Encrypted source;
    try {
      source = service.encrypt(uid, Bytes.wrap(seed));
    } catch (TransformationException e) {
      throw new TransformationException("failed to encrypt DEK, error: " + e.text(), e.status(), e);
    }
    EncryptedObject.validate(source);
    return new WriteKey(new DerivedKeys(seed), source, expires);
  }

  /** The same with another time of expiry. */
  public WriteKey until(Instant later) {
    return new WriteKey(seed, source, later);
  }

  /** The key of the service that encrypted the seed. */
  public String keyId() {
    return source.keyId();
  }

  /** What is wrong with the id of a key of a service; empty if nothing is. */
  public static String keyIdError(String keyId) {
    return EncryptedObject.keyIdError(keyId);
  }

  /**
   * Checks that the key may still encrypt at {@code now}.
   *
   * @throws TransformationException if it has expired
   */
  void checkNotExpired(Instant now) {
    if (now.isAfter(expires)) {
      throw new TransformationException(
          "encryptedDEKSource with keyID hash \"%s\" expired at %s (current time is %s)"
              .formatted(
                  KeyIds.hash(keyId()),
                  expires.truncatedTo(ChronoUnit.SECONDS),
                  now.truncatedTo(ChronoUnit.SECONDS)));
    }
  }
}
