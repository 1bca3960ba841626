package dev.keelson.http.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.http.Query;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which combinations of parameters mean what, for each way to read. */
class ListOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # get
          get   | ''                                                  | Newest[]
          get   | resourceVersion=0                                   | Any[]
          get   | resourceVersion=7                                   | NotOlderThan[revision=7]
          get   | resourceVersion=7&resourceVersionMatch=Exact        | Exactly[revision=7]
          get   | resourceVersion=0&resourceVersionMatch=Exact        | Any[]
          get   | resourceVersionMatch=Exact                          | Newest[]
          get   | resourceVersion=7&resourceVersionMatch=Newest       | NotOlderThan[revision=7]
          # list
          list  | ''                                                  | Newest[] 0
          list  | resourceVersion=0                                   | Any[] 0
          list  | resourceVersion=0&limit=5                           | Any[] 0
          list  | resourceVersion=7                                   | NotOlderThan[revision=7] 0
          list  | limit=5                                             | Newest[] 5
          list  | limit=-5                                            | Newest[] 0
          list  | resourceVersion=7&limit=5                           | Exactly[revision=7] 5
          list  | resourceVersion=7&resourceVersionMatch=Exact        | Exactly[revision=7] 0
          list  | resourceVersion=7&limit=5&resourceVersionMatch=NotOlderThan | NotOlderThan[revision=7] 5
          list  | resourceVersion=0&resourceVersionMatch=NotOlderThan | Any[] 0
          list  | limit=5&continue=abc                                | Newest[] 5 abc
          list  | resourceVersion=0&continue=abc                      | Newest[] 0 abc
          list  | resourceVersion=7&continue=abc                      | Newest[] 0 abc versioned
          list  | resourceVersion=x&continue=abc                      | Newest[] 0 abc versioned
          # watch
          watch | ''                                                  | Objects[state=Newest[]]
          watch | resourceVersion=0                                   | Objects[state=Any[]]
          watch | resourceVersion=7                                   | After[revision=7]
          watch | resourceVersion=7&limit=500                         | After[revision=7]
          watch | sendInitialEvents=true&resourceVersionMatch=NotOlderThan | Objects[state=Newest[]]
          watch | sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0 | Objects[state=Any[]]
          watch | sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7 | Objects[state=NotOlderThan[revision=7]]
          watch | sendInitialEvents=false&resourceVersionMatch=NotOlderThan | Now[]
          watch | sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=7 | After[revision=7]
          """)
  void parameters_sayWhichState(String way, String query, String meant) {
    assertThat(meaning(way, query)).isEqualTo(meant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          get   | resourceVersion=x                                   | BadRequest | ''
          get   | resourceVersion=-1                                  | BadRequest | ''
          list  | resourceVersion=x                                   | BadRequest | ''
          list  | limit=abc                                           | BadRequest | ''
          list  | timeoutSeconds=abc                                  | BadRequest | ''
          list  | limit=x                                             | BadRequest | ''
          list  | limit=                                              | BadRequest | ''
          watch | timeoutSeconds=                                     | BadRequest | ''
          list  | resourceVersionMatch=Exact                          | Invalid | FieldValueForbidden resourceVersionMatch
          list  | resourceVersionMatch=Newest&resourceVersion=7       | Invalid | FieldValueNotSupported resourceVersionMatch
          list  | resourceVersionMatch=Newest                         | Invalid | FieldValueForbidden resourceVersionMatch, FieldValueNotSupported resourceVersionMatch
          list  | resourceVersionMatch=Exact&resourceVersion=0        | Invalid | FieldValueForbidden resourceVersionMatch
          list  | resourceVersionMatch=Exact&resourceVersion=7&continue=abc | Invalid | FieldValueForbidden resourceVersionMatch
          list  | sendInitialEvents=true                              | Invalid | FieldValueForbidden sendInitialEvents
          watch | continue=abc                                        | BadRequest | ''
          watch | resourceVersion=x                                   | BadRequest | ''
          watch | sendInitialEvents=true                              | Invalid | FieldValueForbidden resourceVersionMatch
          watch | resourceVersionMatch=NotOlderThan                   | Invalid | FieldValueForbidden resourceVersionMatch
          watch | resourceVersionMatch=Exact&resourceVersion=7        | Invalid | FieldValueForbidden resourceVersionMatch, FieldValueNotSupported resourceVersionMatch
          watch | sendInitialEvents=true&resourceVersionMatch=Exact   | Invalid | FieldValueForbidden resourceVersionMatch, FieldValueNotSupported resourceVersionMatch
          """)
  void parameters_thatMakeNoSense_areRefused(
      String way, String query, String reason, String causes) {
    ApiException refusal = catchThrowableOfType(ApiException.class, () -> meaning(way, query));

    assertThat(refusal).isNotNull();
    assertThat(refusal.reason().word()).isEqualTo(reason);
    assertThat(
            refusal.details().causes().stream()
                .map((FieldCause cause) -> cause.reason() + " " + cause.field())
                .collect(Collectors.joining(", ")))
        .isEqualTo(causes);
  }

  @ParameterizedTest
  @CsvSource({
    "resourceVersion=x, 'resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\":"
        + " invalid syntax'",
    "resourceVersion=-1, 'resourceVersion: Invalid value: \"-1\": strconv.ParseUint: parsing"
        + " \"-1\": invalid syntax'",
    "resourceVersion=98765432109876543210, 'resourceVersion: Invalid value:"
        + " \"98765432109876543210\": strconv.ParseUint: parsing \"98765432109876543210\": value"
        + " out of range'",
    "limit=, 'strconv.ParseInt: parsing \"\": invalid syntax'",
    "limit=-, 'strconv.ParseInt: parsing \"-\": invalid syntax'",
    "limit=98765432109876543210, 'strconv.ParseInt: parsing \"98765432109876543210\": value out of"
        + " range'"
  })
  void numbers_thatAreNone_areToldAsGoDoes(String query, String message) {
    ApiException refusal = catchThrowableOfType(ApiException.class, () -> meaning("list", query));

    assertThat(refusal.text()).endsWith(message);
  }

  private static String meaning(String way, String text) {
    Query query = Query.parse(text);
    return switch (way) {
      case "get" -> ListOptions.get(query).toString();
      case "list" -> {
        var page = ListOptions.list(query);
        String versioned = page.versioned() ? " versioned" : "";
        yield (page.version() + " " + page.limit() + " " + page.token()).strip() + versioned;
      }
      default -> ListOptions.watch(query).toString();
    };
  }
}
