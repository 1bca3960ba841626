package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;

import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CommonNameTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CN=web.example.com, O=shop | web.example.com",
        "O=shop, CN=web             | web",
        "CN=first, CN=second        | first",
        "OU=a+CN=together, CN=last  | together",
        "CN=a\\, b, O=shop          | a, b",
        "O=shop                     | ''",
        "''                         | ''"
      })
  void commonName_isTheMostSpecificOne(String subject, String name) {
    assertThat(CommonName.of(new X500Principal(subject))).isEqualTo(name);
  }
}
