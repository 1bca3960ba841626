package dev.keelson.storage.encryption.kms;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Identifiers in messages and metrics, which show their digest alone. */
public final class KeyIds {

  private KeyIds() {}

  /** The digest of {@code id}, {@code sha256:} and hexadecimal digits; empty for an empty one. */
  public static String hash(String id) {
    if (id.isEmpty()) {
      return "";
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
