package dev.keelson.authn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The SHA-256 of a secret as four longs: a map key whose lookup time reveals nothing about the
 * known secrets.
 */
public record TokenDigest(long a, long b, long c, long d) {

  /** The digest of {@code secret}. */
  public static TokenDigest of(String secret) {
    byte[] hash;
    try {
      hash = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    var numbers = ByteBuffer.wrap(hash).asLongBuffer();
    return new TokenDigest(numbers.get(0), numbers.get(1), numbers.get(2), numbers.get(3));
  }
}
