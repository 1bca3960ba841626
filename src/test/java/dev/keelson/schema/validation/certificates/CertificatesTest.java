package dev.keelson.schema.validation.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CertificatesTest {

  private static final String NONE = "must contain at least one CERTIFICATE PEM block";
  private static final String EMPTY = "found CERTIFICATE PEM block containing 0 certificates";

  private static String problem(String pem) {
    return Certificates.problem(
        Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.ISO_8859_1)));
  }

  private static String block(String type, String body) {
    return "-----BEGIN " + type + "-----\n" + body + "-----END " + type + "-----\n";
  }

  @Test
  void problem_noBlock_isSaid() {
    assertThat(problem("")).isEqualTo(NONE);
    assertThat(problem("one line\nand another\n")).isEqualTo(NONE);
  }

  @Test
  void problem_anotherType_isNamed() {
    assertThat(problem(block("RSA PRIVATE KEY", "AAAA\n")))
        .isEqualTo("only CERTIFICATE PEM blocks are allowed, found \"RSA PRIVATE KEY\"");
  }

  @Test
  void problem_headers_areNotPermitted() {
    assertThat(problem(block("CERTIFICATE", "Proc-Type: 4,ENCRYPTED\n\nAAAA\n")))
        .isEqualTo("no PEM block headers are permitted");
  }

  @Test
  void problem_noCertificateInside_isSaid() {
    assertThat(problem(block("CERTIFICATE", "AAAA\n"))).isEqualTo(EMPTY);
    assertThat(problem(block("CERTIFICATE", ""))).isEqualTo(EMPTY);
    assertThat(problem("text before\r\n" + block("CERTIFICATE", " AA AA \r\n"))).isEqualTo(EMPTY);
  }

  @Test
  void problem_blockThatDoesNotFitTogether_isPassedOver() {
    String wrongEnd = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END KEY-----\n";
    String notBase64 = block("CERTIFICATE", "AA*A\n");
    String withoutPadding = block("CERTIFICATE", "AAA\n");
    String openType = "-----BEGIN CERTIFICATE\nAAAA\n-----END CERTIFICATE-----\n";
    String textBehind = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE----- here\n";
    String inALine = "a -----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

    for (String pem :
        new String[] {wrongEnd, notBase64, withoutPadding, openType, textBehind, inALine}) {
      assertThat(problem(pem)).as(pem).isEqualTo(NONE);
      assertThat(problem(pem + block("OTHER", "AAAA\n"))).as(pem).contains("found \"OTHER\"");
    }
  }

  @Test
  void problem_repeatedBegin_theLastCounts() {
    assertThat(
            problem("-----BEGIN KEY-----\n-----BEGIN KEY-----\n" + block("CERTIFICATE", "AAAA\n")))
        .isEqualTo(EMPTY);
  }

  @Test
  void problem_manyBeginsWithoutAnEnd_isFoundInOnePass() {
    // a search for the end from each beginning would look at some 10^11 characters
    String begins = "-----BEGIN CERTIFICATE-----\n".repeat(100_000);

    assertThat(problem(begins)).isEqualTo(NONE);
    assertThat(problem(begins + "-----END KEY-----\n")).isEqualTo(NONE);
  }

  @Test
  void problem_manyEndsWithoutABegin_isFoundInOnePass() {
    assertThat(problem("x".repeat(1_000_000) + "\n-----END CERTIFICATE-----".repeat(80_000)))
        .isEqualTo(NONE);
  }

  @Test
  void problem_manyBlocksWithHeadersUpToTheEnd_isFoundInOnePass() {
    assertThat(problem("-----BEGIN A-----\na:b\n-----END :\n".repeat(80_000))).isEqualTo(NONE);
  }
}
