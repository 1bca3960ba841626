package dev.keelson.authn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a secret as four longs: a map key whose lookup time reveals nothing about the
 * known secrets.
 */
public record TokenDigest(long a, long b, long c, long d) {

  /** Looked up once: a search among the providers costs several times what the digest does. */
  private static volatile @Nullable MessageDigest prototype;

  /** The digest of {@code secret}. */
  public static TokenDigest of(String secret) {
    byte[] hash = sha256().digest(secret.getBytes(StandardCharsets.UTF_8));
    var numbers = ByteBuffer.wrap(hash).asLongBuffer();
    return new TokenDigest(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
  }

  private static MessageDigest sha256() {
    try {
      MessageDigest known = prototype;
      if (known == null) {
        known = MessageDigest.getInstance("SHA-256");
        prototype = known;
      }
      return (MessageDigest) known.clone();
    } catch (NoSuchAlgorithmException | CloneNotSupportedException e) {
      throw new IllegalStateException("every JDK has SHA-256, and can copy it", e);
    }
  }
}
