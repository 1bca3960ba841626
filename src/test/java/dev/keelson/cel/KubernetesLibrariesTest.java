package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.cel.ValueType.Simple;
import dev.keelson.cel.library.Semver;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The libraries that Kubernetes adds to CEL, by their documentation. */
@Timeout(120)
class KubernetesLibrariesTest {

  private static final Environment ENVIRONMENT = new Environment(Map.of("text", Simple.TEXT));
  private static final Map<String, Object> VALUES = Map.of("text", "x");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "isQuantity('1.5G') && isQuantity('1.5Gi') && isQuantity('7000k') && isQuantity('+.5')",
        "isQuantity('1e3') && isQuantity('2E-2') && isQuantity('1E') && isQuantity('-3n')",
        "!isQuantity('1,5G') && !isQuantity('20K') && !isQuantity('two') && !isQuantity('Mi')",
        "!isQuantity('') && !isQuantity(' 1') && !isQuantity('1e99999') && !isQuantity('1mi')",
        "quantity('30k').isInteger() && quantity('30k').asInteger() == 30000",
        "!quantity('99999999999999999999G').isInteger() && !quantity('1.5').isInteger()",
        "!quantity('1000m').isInteger()",
        // not integers, as Kubernetes does not keep them in 64 bits
        "!quantity('1Pi').isInteger() && quantity('1Gi').isInteger()",
        "!quantity('9223372036854775807').isInteger()",
        "quantity('999999999999999999').isInteger()",
        "!quantity('1Pi').sub(quantity('1Pi')).isInteger()",
        "!quantity('9E').add(quantity('9E')).isInteger() && quantity('9E').isInteger()",
        "quantity('0.3').asApproximateFloat() == 3.0 * 0.1",
        "!isSemver('1.2.3-18446744073709551616') && isSemver('1.2.3-18446744073709551615')",
        "quantity('30k').sub(10000).asApproximateFloat() == 20000.0",
        "quantity('30k').add(quantity('5k')) == quantity('35k')",
        "quantity('30k').add(7) == quantity('30007') && quantity('1k') != quantity('1Ki')",
        "sign(quantity('30k').sub(quantity('40k'))) == -1 && sign(quantity('0')) == 0",
        "quantity('300M').compareTo(quantity('0.3G')) == 0",
        "quantity('30Mi').compareTo(quantity('30M')) == 1",
        "quantity('30M').isLessThan(quantity('30Mi'))",
        "quantity('3').isGreaterThan(quantity('2999m'))",
        "quantity('0.1n') == quantity('1n')",
        "isIP('10.1.2.3') && isIP('2001:db8::7') && isIP('::') && isIP('::1.2.3.4')",
        "!isIP('10.1.2.03') && !isIP('10.1.2') && !isIP('1.2.3.256') && !isIP('localhost')",
        "!isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isIP('1::2::3') && !isIP('')",
        "!isIP('00001::') && !isIP('1:2:3') && !isIP('[::1]') && !isIP(':::')",
        "ip('10.1.2.3').family() == 4 && ip('2001:db8::7').family() == 6",
        "ip('2001:DB8::0:7') == ip('2001:db8::7')",
        "ip.isCanonical('2001:db8::7') && !ip.isCanonical('2001:DB8::7')",
        "string(ip('2001:db8:0:0:1:0:0:0')) == '2001:db8:0:0:1::'",
        "string(ip('0:0:1::')) == '0:0:1::' && string(ip('::')) == '::'",
        "string(ip('1:0:2:3:4:5:6:7')) == '1:0:2:3:4:5:6:7' && string(ip('::1')) == '::1'",
        "ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified() && !ip('::1').isUnspecified()",
        "ip('127.4.5.6').isLoopback() && ip('::1').isLoopback() && !ip('10.0.0.1').isLoopback()",
        "ip('224.0.0.9').isLinkLocalMulticast() && ip('ff02::9').isLinkLocalMulticast()",
        "ip('169.254.3.4').isLinkLocalUnicast() && ip('fe80::3').isLinkLocalUnicast()",
        "ip('10.0.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
        "isCIDR('10.0.0.0/8') && isCIDR('10.0.0.1/8') && isCIDR('2001:db8::/32')",
        "!isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/08')",
        "!isCIDR('::ffff:1.2.3.4/24') && !isCIDR('::/129')",
        "cidr('10.0.0.0/8').containsIP('10.9.8.7') && !cidr('10.0.0.0/8').containsIP('11.0.0.1')",
        "cidr('10.0.0.0/8').containsIP(ip('10.9.8.7')) && !cidr('::/0').containsIP('10.0.0.1')",
        "cidr('10.0.0.0/8').containsCIDR('10.2.0.0/16')",
        "cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/8'))",
        "!cidr('10.2.0.0/16').containsCIDR('10.0.0.0/8')",
        "cidr('10.1.2.3/12').masked() == cidr('10.0.0.0/12')",
        "cidr('10.1.2.3/12') != cidr('10.0.0.0/12') && cidr('10.1.2.3/12').ip() == ip('10.1.2.3')",
        "cidr('2001:db8::/33').prefixLength() == 33",
        "string(cidr('2001:DB8::/33')) == '2001:db8::/33'",
        "semver('1.2.3+a') == semver('1.2.3+b') && semver('1.2.3-a') != semver('1.2.3')",
        "url('https://h/a?x=1&y=2#end').getQuery() == {'x': ['1'], 'y': ['2']}",
        "url('https://u:p@h:80/docs#end').getEscapedPath() == '/docs'",
        "url('https://h/a b/%2F').getEscapedPath() == '/a%20b//'",
        "url('https:://h/').getHostname() == '' && !isURL('https://a:b:c/') && isURL('*')",
        "url('//h/a').getHost() == 'h' && url('https://h/a#x') != url('https://h/a')",
        "format.uri().validate('../a').value() == ['parse \"../a\": invalid URI for request']",
        "format.uri().validate('https://h/%z').value()"
            + " == ['parse \"https://h/%z\": invalid URL escape \"%z\"']",
        "format.datetime().validate('2024-02-29T10:11Z').hasValue()",
        "format.datetime().validate('2024-02-29 10:11:12Z').hasValue()",
        "!format.datetime().validate('2024-02-29t10:11:12.5+01:00').hasValue()",
        "format.datetime().validate('2024-02-29T24:11:12Z').hasValue()",
        "!format.dns1123LabelPrefix().validate('a_-').hasValue()",
        "isURL('https://[::1]:80/a') && isURL('/a/b') && isURL('mailto:a@b') && isURL('a://b c')"
            + " == false",
        "!isURL('../a') && !isURL('a/b') && !isURL('') && !isURL(':a') && !isURL('/%zz')",
        "url('https://user@host.example:81/a b?x=1&x=2&y=a%20b').getHost() == 'host.example:81'",
        "url('https://host.example:81/').getHostname() == 'host.example'",
        "url('https://[::1]:81/').getHostname() == '::1' && url('https://[::1]/').getPort() == ''",
        "url('HTTPS://h:81').getPort() == '81' && url('HTTPS://h').getScheme() == 'https'",
        "url('https://h/a b/%20').getEscapedPath() == '/a%20b/%20'",
        "url('https://h/?x=1&x=2&y=a+b').getQuery() == {'x': ['1', '2'], 'y': ['a b']}",
        "url('/a?b').getQuery()['b'] == [''] && url('/a').getHost() == ''",
        "!format.dns1123Label().validate('a-b').hasValue()",
        "format.dns1123Label().validate('a_b').value()[0].startsWith('a lowercase RFC 1123 label')",
        "format.dns1123Label().validate('a.b').value() == ['must not contain dots']",
        "format.qualifiedName().validate('/').value().size() == 3",
        "format.dns1123Subdomain().validate('A').hasValue()",
        "!format.dns1123SubdomainPrefix().validate('a-').hasValue()",
        "format.dns1035Label().validate('1a').hasValue()",
        "!format.qualifiedName().validate('a.b/c_d').hasValue()",
        "format.qualifiedName().validate('a/b/c').hasValue()",
        "!format.labelValue().validate('').hasValue() &&"
            + " format.labelValue().validate('-').hasValue()",
        "!format.uri().validate('https://a').hasValue() && format.uri().validate('a').hasValue()",
        "!format.uuid().validate('123e4567-e89b-12d3-a456-426614174000').hasValue()",
        "format.uuid().validate('1').value() == ['does not match the UUID format']",
        "!format.byte().validate('aGk=').hasValue() && format.byte().validate('a').hasValue()",
        "!format.date().validate('2024-02-29').hasValue()",
        "format.date().validate('2023-02-29').value() == ['invalid date']",
        "!format.datetime().validate('2024-02-29T10:11:12.5Z').hasValue()",
        "format.datetime().validate('2024-02-29').hasValue()",
        "format.named('uuid').hasValue() && !format.named('nope').hasValue()",
        "[1, 2, 3].all(i, v, i + 1 == v) && {'a': 1}.exists(k, v, k == 'a' && v == 1)",
        "[1, 2].transformList(i, v, i * v) == [0, 2]",
        "{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v * 2) == {'b': 4}",
        "{'a': 1}.existsOne(k, v, v == 1)"
      })
  void whatHolds_holds(String text) throws EvaluationException {
    assertThat(ENVIRONMENT.compile(text, Simple.BOOL).holds(VALUES)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quantity('two') == quantity('2')",
        "quantity('1.5').asInteger() == 1",
        "ip('10.0.0') == ip('10.0.0.0')",
        "ip('::ffff:1.2.3.4').family() == 4",
        "ip.isCanonical('host')",
        "cidr('10.0.0.0/8').containsIP('x')",
        "cidr('10.0.0.0') == cidr('10.0.0.0/8')",
        "url('a b').getHost() == ''"
      })
  void whatHasNoValue_isAnError(String text) {
    Expression expression = ENVIRONMENT.compile(text, Simple.BOOL);

    assertThatThrownBy(() -> expression.holds(VALUES)).isInstanceOf(EvaluationException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          192.168.0.1.0       | ParseAddr("192.168.0.1.0"): IPv4 address too long
          192.168.1           | ParseAddr("192.168.1"): IPv4 address too short
          192.168.0.256       | ParseAddr("192.168.0.256"): IPv4 field has value >255
          192.168.0.01        | ParseAddr("192.168.0.01"): IPv4 field has octet with leading zero
          192.168..1          | ParseAddr("192.168..1"): IPv4 field must have at least one digit (at ".1")
          192.168.0.x         | ParseAddr("192.168.0.x"): unexpected character (at "x")
          host                | ParseAddr("host"): unable to parse IP
          1:2:3               | ParseAddr("1:2:3"): address string too short
          1::2::3             | ParseAddr("1::2::3"): multiple :: in address (at ":3")
          12345::             | ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")
          1:2:3:4:5:6:7:8:9   | ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")
          1:2:3:4:5:6:7:8:    | ParseAddr("1:2:3:4:5:6:7:8:"): colon must be followed by more characters (at ":")
          """)
  void wrongAddress_isNamedInGoWords(String text, String why) {
    assertThatThrownBy(
            () ->
                ENVIRONMENT.compile("ip('" + text + "').family() == 4", Simple.BOOL).holds(VALUES))
        .hasMessage(
            "IP Address \"" + text + "\" parse error during conversion from string: " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ip('fe80::1%en0').family() == 6        | IP address "fe80::1%en0" with zone value is not allowed
          ip('::ffff:192.168.0.1').family() == 4 | IPv4-mapped IPv6 address "::ffff:192.168.0.1" is not allowed
          cidr('10.0.0.0/33').prefixLength() > 0 | network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range
          cidr('10.0.0.0').prefixLength() > 0    | network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no '/'
          cidr('10.0.0.0/08').prefixLength() > 0 | network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"
          cidr('::ffff:1.2.3.4/24').prefixLength() > 0 | network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/24" is not allowed
          """)
  void wrongNetwork_isNamedInKubernetesWords(String text, String why) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.BOOL).holds(VALUES)).hasMessage(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          url('../a')               | parse "../a": invalid URI for request
          url('')                   | parse "": empty url
          url(':a')                 | parse ":a": missing protocol scheme
          url('https://a:b:c/')     | parse "https://a:b:c/": invalid port ":b:c" after host
          url('https://[::1/')      | parse "https://[::1/": missing ']' in host
          url('https://a b/')       | parse "https://a b/": invalid character " " in host name
          url('https://a/%zz')      | parse "https://a/%zz": invalid URL escape "%zz"
          url('https://h/a#%zz')    | parse "https://h/a#%zz": invalid URL escape "%zz"
          url('https://a{b@h/')     | parse "https://a{b@h/": net/url: invalid userinfo
          """)
  void wrongUrl_isNamedInGoWords(String text, String why) {
    Expression expression = ENVIRONMENT.compile(text + ".getHost() == ''", Simple.BOOL);

    assertThatThrownBy(() -> expression.holds(VALUES))
        .hasMessage("URL parse error during conversion from string: " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``             | Version string empty
          1.2            | No Major.Minor.Patch elements found
          a.b.c          | Invalid character(s) found in major number "a"
          01.b.c         | Major number must not contain leading zeroes "01"
          1.b.c          | Invalid character(s) found in minor number "b"
          1..3           | strconv.ParseUint: parsing "": invalid syntax
          1.2.c-+        | Invalid character(s) found in patch number "c"
          1.2.-+         | strconv.ParseUint: parsing "": invalid syntax
          1.2.3-+        | Prerelease is empty
          1.2.3-01+      | Numeric PreRelease version must not contain leading zeroes "01"
          1.2.3-a."+_    | Invalid character(s) found in prerelease "\\""
          1.2.3-a.99999999999999999999 | strconv.ParseUint: parsing "99999999999999999999": value out of range
          1.2.3+         | Build meta data is empty
          1.2.3+_        | Invalid character(s) found in build meta data "_"
          """)
  void wrongVersion_isNamedInGoWords(String text, String why) {
    assertThatThrownBy(() -> Semver.parse(text)).hasMessage(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "quantity(1) == quantity('1')",
        "quantity('1').add('1') == quantity('2')",
        "text.family() == 4",
        "format.nope().validate('a').hasValue()",
        "quantity('1') < quantity('2')",
        "quantity('1').sign() == 1"
      })
  void wrongTypes_areFoundBefore(String text) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.BOOL))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
