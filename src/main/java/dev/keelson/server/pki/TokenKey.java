package dev.keelson.server.pki;

import dev.keelson.pem.PemException;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.pem.PemPublicKeys;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;

/** The key for service account tokens that the server makes when none is given. */
public final class TokenKey {

  private TokenKey() {}

  /**
   * The key in {@code directory}, made when it is absent.
   *
   * @throws PkiException if it can be neither read nor made
   */
  public static KeyPair open(Path directory) {
    Path file = directory.resolve("service-account.key");
    return PrivateFiles.locked(
        directory,
        () -> {
          if (Files.exists(file)) {
            return read(file);
          }
          KeyPair made = KeyPairs.generate();
          // with the public half, which costs a multiplication on the curve at each start otherwise
          PrivateFiles.write(
              file, PemPrivateKeys.textForClients(made.getPrivate(), made.getPublic()));
          return made;
        });
  }

  private static KeyPair read(Path file) {
    try {
      return PemPublicKeys.pair(file);
    } catch (PemException e) {
      throw new PkiException(String.valueOf(e.getMessage()), e);
    }
  }
}
