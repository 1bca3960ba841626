package dev.keelson.schema.structural.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The formats of strings. */
class FormatsTest {

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          bsonobjectid | 507f1f77bcf86cd799439011
          uri          | http://example.com/a?b=c
          uri          | http://user:pw@[::1]:80/
          uri          | /absolute/path
          uri          | mailto:me@example.com
          uri          | urn:a:b
          uri          | http://
          email        | me@example.com
          email        | Me <me@example.com>
          email        | "a b"@example.com
          email        | me@[127.0.0.1]
          hostname     | example.com
          hostname     | a-b.example
          hostname     | localhost
          ipv4         | 192.168.0.1
          ipv4         | 192.168.000.001
          ipv6         | ::1
          ipv6         | fe80::1
          cidr         | 10.0.0.0/8
          cidr         | 2001:db8::/32
          mac          | 01:02:03:04:05:06
          mac          | 01-02-03-04-05-06-07-08
          mac          | 0102.0304.0506
          uuid         | A8098C1A-F86E-11DA-BD1A-00112444BE1E
          uuid         | a8098c1af86e11dabd1a00112444be1e
          uuid3        | bcd02e22-68f0-3046-a512-327cca9def8f
          uuid4        | 025b0d74-00a2-4048-bf57-227c5111bb34
          uuid5        | 886313e1-3b8a-5372-9b90-0c9aee199e5d
          isbn         | 0321751043
          isbn         | 978-0321751041
          isbn10       | 3-8362-2119-5
          isbn10       | 080442957X
          isbn13       | 978 3 8362 2119 1
          creditcard   | 4111-1111-1111-1111
          ssn          | 111-11-1111
          ssn          | 111 11 1111
          hexcolor     | #FFFFFF
          hexcolor     | fff
          rgbcolor     | rgb(100, 2 ,255)
          byte         | ZWxpemFiZXRocG9zZXk=
          password     | super secret
          date         | 2024-02-29
          date-time    | 2014-12-15T19:30:20.000Z
          datetime     | 2014-12-15t19:30:20+01:00
          duration     | 1h2m3.5s
          duration     | 22 ns
          duration     | 3 days
          duration     | - 5 min
          k8s-short-name | a-b
          k8s-long-name  | a.b-c
          unknown      | anything
          """)
  void matches_whatHasTheFormat(String format, String text) {
    assertThat(Formats.matches(format, text)).isTrue();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          bsonobjectid | 507f1f77bcf86cd79943901
          bsonobjectid | 507f1f77bcf86cd79943901g
          uri          | relative/path
          uri          | ://example.com
          uri          | http://exa mple.com
          uri          | http://example.com:port/
          uri          | http://example.com/%zz
          uri          | ``
          email        | me@
          email        | @example.com
          email        | me
          email        | a..b@example.com
          hostname     | -a.example
          hostname     | a_b.com
          hostname     | ``
          ipv4         | 192.168.0.256
          ipv4         | ::1
          ipv6         | 127.0.0.1
          ipv6         | :::1
          cidr         | 10.0.0.0
          cidr         | 10.0.0.0/33
          mac          | 01:02:03:04:05
          mac          | 01:02:03-04:05:06
          mac          | 01:02:03:04:05:0g
          uuid         | a8098c1a-f86e-11da-bd1a
          uuid3        | 025b0d74-00a2-4048-bf57-227c5111bb34
          uuid4        | bcd02e22-68f0-3046-a512-327cca9def8f
          uuid5        | 025b0d74-00a2-4048-bf57-227c5111bb34
          isbn         | 0321751042
          isbn10       | 978-0321751041
          isbn13       | 978-0321751040
          creditcard   | 4111-1111-1111-1112
          ssn          | 111111111
          ssn          | 111-11-111
          hexcolor     | #fffg
          rgbcolor     | rgb(300,0,0)
          byte         | ZWxpemFiZXRocG9zZXk
          date         | 2023-02-29
          date         | 2023-2-1
          datetime     | 2014-12-15
          datetime     | 2014-12-15T25:30:20Z
          datetime     | 2014-12-15T19:30:20
          duration     | 5
          duration     | five minutes
          duration     | 99999999999999999999 s
          k8s-short-name | A
          k8s-long-name  | a..b
          """)
  void matches_notWhatHasNot(String format, String text) {
    assertThat(Formats.matches(format, text)).isFalse();
  }

  @Test
  void isChecked_dependsOnTheTypeOfNumbers() {
    assertThat(Formats.isChecked("int32", List.of("integer"))).isTrue();
    assertThat(Formats.isChecked("int32", List.of("number"))).isFalse();
    assertThat(Formats.isChecked("double", List.of("number"))).isTrue();
    assertThat(Formats.isChecked("double", List.of("integer"))).isFalse();
    assertThat(Formats.isChecked("date-time", List.of("string"))).isTrue();
    assertThat(Formats.isChecked("uint32", List.of("integer"))).isFalse();
  }
}
