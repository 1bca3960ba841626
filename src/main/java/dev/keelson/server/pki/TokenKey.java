package dev.keelson.server.pki;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;

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
            PrivateFiles.write(file, Pem.text(make()));
          }
          return Pem.key(file);
        });
  }

  private static PrivateKey make() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair().getPrivate();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has EC keys on P-256", e);
    }
  }
}
