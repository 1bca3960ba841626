package dev.keelson.server.encryption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The file of an EncryptionConfiguration.
 *
 * @param path the file
 * @param reload whether it is reloaded, which forbids more
 */
record EncryptionFile(Path path, boolean reload) {

  /**
   * The content of a file. Only its digest is kept, so that keys are in memory once.
   *
   * @param digest of the bytes, for comparison
   */
  record Content(byte[] bytes, String digest) {}

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if it cannot be read or is empty
   */
  Content read() {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(path);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "error while parsing file: error while loading file: error reading encryption provider"
              + " configuration file \"%s\": %s".formatted(path, e),
          e);
    }
    if (bytes.length == 0) {
      throw new IllegalArgumentException(
          "error while parsing file: error while loading file: encryption provider configuration"
              + " file \"%s\" is empty".formatted(path));
    }
    return new Content(bytes, digest(bytes));
  }

  /**
   * Decodes and validates a content.
   *
   * @throws IllegalArgumentException with the causes, if it is invalid
   */
  EncryptionConfiguration parse(Content content) {
    EncryptionConfiguration configuration;
    try {
      configuration = ConfigurationReader.read(content.bytes());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "error while parsing file: error decoding encryption provider configuration file"
              + " \"%s\": %s".formatted(path, e.getMessage()),
          e);
    }
    try {
      ConfigurationValidation.check(configuration, reload);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("error while parsing file: " + e.getMessage(), e);
    }
    return configuration;
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "sha256:" + HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
