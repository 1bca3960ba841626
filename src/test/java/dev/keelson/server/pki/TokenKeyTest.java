package dev.keelson.server.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.pem.PemPublicKeys;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenKeyTest {

  @TempDir private Path directory;

  @Test
  void open_readsTheKeyThatItHasMade() {
    KeyPair made = TokenKey.open(directory);

    KeyPair read = TokenKey.open(directory);

    assertThat(secret(read)).isEqualTo(secret(made));
    assertThat(read.getPublic()).isEqualTo(made.getPublic());
    assertThat(PemPublicKeys.halfOf(read.getPrivate())).isEqualTo(made.getPublic());
  }

  @Test
  void open_readsAKeyWithoutItsPublicHalf() throws IOException {
    KeyPair made = KeyPairs.generate();
    Files.writeString(
        directory.resolve("service-account.key"), PemPrivateKeys.text(made.getPrivate()));

    KeyPair read = TokenKey.open(directory);

    assertThat(secret(read)).isEqualTo(secret(made));
    assertThat(read.getPublic()).isEqualTo(made.getPublic());
  }

  private static BigInteger secret(KeyPair pair) {
    return ((ECPrivateKey) pair.getPrivate()).getS();
  }
}
