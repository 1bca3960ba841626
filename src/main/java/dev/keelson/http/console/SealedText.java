package dev.keelson.http.console;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts texts that a client keeps for a while: AES-256 in Galois/Counter Mode with a random
 * nonce (NIST SP 800-38D), so that the client can neither read nor change them. Safe for use by any
 * thread.
 */
final class SealedText {

  private static final byte VERSION = 1;
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;
  private static final int HEAD = 1 + NONCE;
  private static final String CIPHER = "AES/GCM/NoPadding";

  private final Supplier<byte[]> secret;
  private final byte[] purpose;
  private final SecureRandom random;
  private final InstantSource clock;

  /**
   * @param secret the same on every server that reads the texts; read on use
   * @param purpose texts that were sealed for another one are not opened
   */
  SealedText(Supplier<byte[]> secret, String purpose, SecureRandom random, InstantSource clock) {
    this.secret = secret;
    this.purpose = purpose.getBytes(StandardCharsets.UTF_8);
    this.random = random;
    this.clock = clock;
  }

  /**
   * Encrypts a text.
   *
   * @param valid how long it can be opened
   * @return URL-safe base64
   */
  String seal(String text, Duration valid) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteBuffer plain = ByteBuffer.allocate(Long.BYTES + bytes.length);
    plain.putLong(clock.instant().plus(valid).getEpochSecond()).put(bytes);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain.array());
      ByteBuffer whole = ByteBuffer.allocate(HEAD + sealed.length);
      whole.put(VERSION).put(nonce).put(sealed);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(whole.array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + CIPHER, e);
    }
  }

  /** Returns the text; empty if it is not one of this key and purpose, or its time is over. */
  Optional<String> open(String sealed) {
    byte[] whole;
    try {
      whole = Base64.getUrlDecoder().decode(sealed);
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
    if (whole.length < HEAD + TAG_BITS / Byte.SIZE + Long.BYTES || whole[0] != VERSION) {
      return Optional.empty();
    }
    byte[] nonce = new byte[NONCE];
    ByteBuffer.wrap(whole, 1, NONCE).get(nonce);
    ByteBuffer plain;
    try {
      plain =
          ByteBuffer.wrap(
              cipher(Cipher.DECRYPT_MODE, nonce).doFinal(whole, HEAD, whole.length - HEAD));
    } catch (GeneralSecurityException changedOrForeign) {
      return Optional.empty();
    }
    Instant end = Instant.ofEpochSecond(plain.getLong());
    return clock.instant().isBefore(end)
        ? Optional.of(StandardCharsets.UTF_8.decode(plain).toString())
        : Optional.empty();
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose);
    return cipher;
  }

  /** The key of this purpose, derived from the secret. */
  private SecretKeySpec key() throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.get(), "HmacSHA256"));
    return new SecretKeySpec(mac.doFinal(purpose), "AES");
  }
}
