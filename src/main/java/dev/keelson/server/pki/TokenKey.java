package dev.keelson.server.pki;

import dev.keelson.pem.PemException;
import dev.keelson.pem.PemPrivateKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;

/** The key for service account tokens that the server makes when none is given. */
public final class TokenKey {

  private TokenKey() {}

  /**
   * The key in {@code directory}, made when it is absent.
   *
   * @throws PkiException if it can be neither read nor made
   */
  public static PrivateKey open(Path directory) {
    Path file = directory.resolve("service-account.key");
    return PrivateFiles.locked(
        directory,
        () -> {
          if (!Files.exists(file)) {
            PrivateFiles.write(file, PemPrivateKeys.text(KeyPairs.generate().getPrivate()));
          }
          return read(file);
        });
  }

  private static PrivateKey read(Path file) {
    try {
      return PemPrivateKeys.read(file);
    } catch (PemException e) {
      throw new PkiException(String.valueOf(e.getMessage()), e);
    }
  }
}
