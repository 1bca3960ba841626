package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.storage.Bytes;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Continue tokens of lists: the revision and the last key of a chunk, signed so that foreign tokens
 * are rejected.
 */
public final class ContinueTokens {

  /** The revision of a token that continues at the most recent state. */
  static final long INCONSISTENT = -1;

  private static final byte VERSION = 1;
  private static final int SEAL = 16;
  private static final int HEAD = 1 + Long.BYTES;

  private final Supplier<byte[]> secret;

  /** The content of a token. */
  record Position(long revision, Bytes lastKey) {}

  /**
   * Tokens under a key.
   *
   * @param secret the same on every server of one store
   */
  public ContinueTokens(Supplier<byte[]> secret) {
    this.secret = secret;
  }

  String encode(Position position) {
    byte[] lastKey = position.lastKey.array();
    ByteBuffer token = ByteBuffer.allocate(HEAD + lastKey.length + SEAL);
    token.put(VERSION).putLong(position.revision).put(lastKey);
    token.put(seal(token.array(), HEAD + lastKey.length));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(token.array());
  }

  /**
   * Decodes a token.
   *
   * @throws ApiException of reason BadRequest if the signature is invalid
   */
  Position decode(String token) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(token);
    } catch (IllegalArgumentException e) {
      throw foreign();
    }
    int end = bytes.length - SEAL;
    if (end < HEAD
        || bytes[0] != VERSION
        || !MessageDigest.isEqual(seal(bytes, end), Arrays.copyOfRange(bytes, end, bytes.length))) {
      throw foreign();
    }
    long revision = ByteBuffer.wrap(bytes, 1, Long.BYTES).getLong();
    return new Position(revision, Bytes.wrap(Arrays.copyOfRange(bytes, HEAD, end)));
  }

  private byte[] seal(byte[] bytes, int length) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.get(), "HmacSHA256"));
      mac.update(bytes, 0, length);
      return Arrays.copyOf(mac.doFinal(), SEAL);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static ApiException foreign() {
    return ApiException.badRequest(
        "invalid continue token: continue key is not valid: it was not given by this server, or it"
            + " was changed; list again without it");
  }
}
