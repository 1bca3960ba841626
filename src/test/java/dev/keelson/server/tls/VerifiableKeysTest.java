package dev.keelson.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.TestAuthority;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerifiableKeysTest {

  @ParameterizedTest
  @CsvSource({
    "RSA,,true",
    "EC,secp256r1,true",
    "EC,secp384r1,true",
    "EC,secp521r1,false",
    "Ed25519,,false"
  })
  void keys_areThoseThatBoringSslVerifies(String algorithm, String curve, boolean verifiable)
      throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (curve != null) {
      generator.initialize(new ECGenParameterSpec(curve));
    }
    PublicKey key = generator.generateKeyPair().getPublic();

    assertThat(VerifiableKeys.isVerifiable(key)).isEqualTo(verifiable);
  }

  @Test
  void authorities_areThoseOfNow() {
    X509Certificate curve = TestAuthority.root("a").certificate();
    X509Certificate edwards = TestAuthority.edwards("b").certificate();
    AtomicReference<List<X509Certificate>> now = new AtomicReference<>(List.of(curve));
    VerifiableKeys keys = new VerifiableKeys(now::get);

    assertThat(keys.getAsBoolean()).isTrue();
    now.set(List.of(curve, edwards));
    assertThat(keys.getAsBoolean()).isFalse();
    now.set(List.of(curve));
    assertThat(keys.getAsBoolean()).isTrue();
  }
}
