package dev.keelson.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class NamesTest {

  private static final String A63 = "a".repeat(63);

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "a-b", "0a", "a--b"})
  void dnsLabel_takesLowerCaseLettersDigitsAndDashes(String name) {
    assertThat(Names.dnsLabel(name)).isEmpty();
    assertThat(Names.dnsSubdomain(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a-", "A", "a_b", "a b", "ä", "a\n", "a/b"})
  void dnsLabel_refusesTheRest(String name) {
    assertThat(Names.dnsLabel(name)).startsWith("a lowercase RFC 1123 label must consist of");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", ".a", "a.", "a..b", "a.-b", "a-.b", "A.b", "a_b", "a\n"})
  void dnsSubdomain_refusesEmptyAndBrokenLabels(String name) {
    assertThat(Names.dnsSubdomain(name))
        .startsWith("a lowercase RFC 1123 subdomain must consist of");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0a", "-a", "a-", "a.b", "A"})
  void dns1035Label_beginsWithALetter(String name) {
    assertThat(Names.dns1035Label(name)).startsWith("a DNS-1035 label must consist of");
    assertThat(Names.dns1035Label("a0-b")).isEmpty();
  }

  @Test
  void names_haveALongestLength() {
    assertThat(Names.dnsLabel(A63)).isEmpty();
    assertThat(Names.dnsLabel(A63 + "a")).isEqualTo("must be no more than 63 characters");
    assertThat(Names.dns1035Label(A63)).isEmpty();
    assertThat(Names.dns1035Label(A63 + "a")).isEqualTo("must be no more than 63 characters");
    assertThat(Names.dnsSubdomain("a".repeat(253))).isEmpty();
    assertThat(Names.dnsSubdomain("a".repeat(254)))
        .isEqualTo("must be no more than 253 characters");
  }

  @Test
  void pathSegment_takesWhatFitsBetweenSlashes() {
    assertThat(Names.pathSegment("system:node-Proxier_1.x")).isEmpty();
    assertThat(Names.pathSegment(".")).isEqualTo("may not be '.'");
    assertThat(Names.pathSegment("..")).isEqualTo("may not be '..'");
    assertThat(Names.pathSegment("a/b")).isEqualTo("may not contain '/'");
    assertThat(Names.pathSegment("a%b")).isEqualTo("may not contain '%'");
    assertThat(Names.pathSegment("a%/b")).isEqualTo("may not contain '/'\nmay not contain '%'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "A", "a.b_c-d", "0", "example.org/a", "a.b.c/X_y"})
  void qualifiedName_takesAnOptionalDomainAndAName(String key) {
    assertThat(Names.qualifiedName(key)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/", "a/", "/a", "a/b/c", "-a", "a-", "_", "A.b/c", "a b", "é"})
  void qualifiedName_refusesTheRest(String key) {
    assertThat(Names.qualifiedName(key)).isNotEmpty();
  }

  @Test
  void qualifiedName_measuresTheNamePartAlone() {
    assertThat(Names.qualifiedName("example.org/" + A63)).isEmpty();
    assertThat(Names.qualifiedName("example.org/" + A63 + "a"))
        .isEqualTo("name part must be no more than 63 bytes");
  }

  @Test
  void labelValue_mayBeEmpty() {
    assertThat(Names.labelValue("")).isEmpty();
    assertThat(Names.labelValue("A_b.c-1")).isEmpty();
    assertThat(Names.labelValue("-a")).startsWith("a valid label must be an empty string or");
    assertThat(Names.labelValue("a/b")).startsWith("a valid label must be an empty string or");
    assertThat(Names.labelValue(A63 + "a")).isEqualTo("must be no more than 63 bytes");
  }

  @Test
  void problems_areOneLineEach() {
    assertThat(Names.dnsLabel(A63 + "_").lines())
        .hasSize(2)
        .first()
        .isEqualTo("must be no more than 63 characters");
    assertThat(Names.dnsLabel("a.b")).isEqualTo("must not contain dots");
    assertThat(Names.qualifiedName("/").lines())
        .containsExactly(
            "prefix part must be non-empty",
            "name part must be non-empty",
            Names.qualifiedName("-"));
    assertThat(Names.qualifiedName("a/b/c")).endsWith("(e.g. 'example.com/MyName')");
    assertThat(Names.labelValue(A63 + "/").lines()).hasSize(2);
  }

  @Test
  void names_ofAnyLengthAreChecked() {
    assertThat(Names.dnsSubdomain("a.".repeat(1_000_000) + "b"))
        .isEqualTo("must be no more than 253 characters");
  }
}
