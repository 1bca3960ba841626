package dev.keelson.http.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.http.Query;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogOptionsTest {

  private static String outcome(String query) {
    try {
      LogOptions options = LogOptions.of(Query.parse(query));
      options.validate("p");
      return options.query();
    } catch (ApiException e) {
      return e.reason() + " " + e.text();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|''",
        "container=c&pretty=true|''",
        "follow=true&previous=1&timestamps=x|follow=true&previous=true&timestamps=true",
        "follow=false&previous=0&timestamps=False|''",
        "follow|follow=true",
        "tailLines=0&limitBytes=1&sinceSeconds=1|limitBytes=1&sinceSeconds=1&tailLines=0",
        "sinceTime=2026-01-02T03:04:05%2B01:00|sinceTime=2026-01-02T02%3A04%3A05Z",
        "tailLines=-1|INVALID PodLogOptions \"p\" is invalid: tailLines: Invalid value: -1:"
            + " must be greater than or equal to 0",
        "limitBytes=0|INVALID PodLogOptions \"p\" is invalid: limitBytes: Invalid value: 0:"
            + " must be greater than 0",
        "sinceSeconds=0|INVALID PodLogOptions \"p\" is invalid: sinceSeconds: Invalid value: 0:"
            + " must be greater than 0",
        "stream=Stdout|INVALID PodLogOptions \"p\" is invalid: stream: Forbidden: may not be"
            + " specified",
        "tailLines=x|BAD_REQUEST strconv.ParseInt: parsing \"x\": invalid syntax",
        "tailLines=99999999999999999999|BAD_REQUEST strconv.ParseInt: parsing"
            + " \"99999999999999999999\": value out of range",
      })
  void options_areReadAndChecked(String query, String expected) {
    assertThat(outcome(query)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sinceSeconds=5&sinceTime=2026-01-02T03:04:05Z&tailLines=-1|[tailLines: Invalid value: -1:"
            + " must be greater than or equal to 0, []: Forbidden: at most one of `sinceTime`"
            + " or `sinceSeconds` may be specified]",
      })
  void allErrors_areTold(String query, String expected) {
    assertThat(outcome(query)).isEqualTo("INVALID PodLogOptions \"p\" is invalid: " + expected);
  }
}
