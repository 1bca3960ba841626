package dev.keelson.audit.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.event.JsonDocument.Omission;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDocumentTest {

  @Test
  void compact_leavesOutWhiteSpaceOutsideOfStrings() {
    assertThat(
            compact(
                " { \"a b\" : [ 1 , -2.5e+3,true,\tfalse , null , {} , [ ] ] ,\r\n"
                    + "\"c\":\" x \" } "))
        .contains("{\"a b\":[1,-2.5e+3,true,false,null,{},[]],\"c\":\" x \"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{a:1}",
        "[1,]",
        "[1 2]",
        "01",
        "1.",
        ".5",
        "-",
        "1e",
        "+1",
        "tru",
        "nulls",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "{} {}",
        "'a'",
        "NaN"
      })
  void compact_ofWhatIsNoJson_isEmpty(String text) {
    assertThat(compact(text)).isEmpty();
  }

  @Test
  void compact_ofVeryDeepNesting_isEmpty() {
    assertThat(compact("[".repeat(512) + "]".repeat(512))).isPresent();
    assertThat(compact("[".repeat(513) + "]".repeat(513))).isEmpty();
    assertThat(compact("[".repeat(1_000_000))).isEmpty();
  }

  @Test
  void compact_ofBytesThatAreNoUtf8_hasReplacementCharacters() {
    byte[] json = {'"', (byte) 0xC3, (byte) 0xA9, (byte) 0xFF, '"'};

    assertThat(JsonDocument.compact(json, Omission.NOTHING))
        .hasValueSatisfying(
            text -> assertThat(new String(text, StandardCharsets.UTF_8)).isEqualTo("\"é\ufffd\""));
  }

  @Test
  void managedFields_areLeftOutOfObjectsListsAndRows() {
    String fields = "\"managedFields\":[{\"a\":{\"metadata\":{}}}]";

    assertThat(omitting("{\"metadata\":{" + fields + ",\"name\":\"x\"}}"))
        .contains("{\"metadata\":{\"name\":\"x\"}}");
    assertThat(omitting("{\"metadata\":{\"name\":\"x\", " + fields + "},\"spec\":{}}"))
        .contains("{\"metadata\":{\"name\":\"x\"},\"spec\":{}}");
    assertThat(omitting("{\"metadata\":{" + fields + "}}")).contains("{\"metadata\":{}}");
    assertThat(
            omitting(
                "{\"items\":[{\"metadata\":{"
                    + fields
                    + "}},{\"metadata\":{\"a\":1,"
                    + fields
                    + "}}]}"))
        .contains("{\"items\":[{\"metadata\":{}},{\"metadata\":{\"a\":1}}]}");
    assertThat(omitting("{\"rows\":[{\"cells\":[1],\"object\":{\"metadata\":{" + fields + "}}}]}"))
        .contains("{\"rows\":[{\"cells\":[1],\"object\":{\"metadata\":{}}}]}");
  }

  @Test
  void managedFields_elsewhereAreKept() {
    String json =
        "{\"managedFields\":1,\"spec\":{\"metadata\":{\"managedFields\":2},"
            + "\"managedFields\":3},\"metadata\":{\"labels\":{\"managedFields\":\"4\"}}}";

    assertThat(omitting(json)).contains(json);
  }

  @Test
  void identity_isReadFromTheMetadata() {
    String json =
        """
        {"kind":"Pod","spec":{"name":"no","list":[{"metadata":{"name":"no"}}]},
         "metadata":{"labels":{"name":"no"},"name":"p","namespace":"ns","uid":"u",
                     "resourceVersion":"12","generation":3}}\
        """;

    assertThat(JsonDocument.identity(json.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(new ObjectIdentity("ns", "p", "u", "12"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "{}", "{\"metadata\":null}", "{\"metadata\":[]}", "{\"a\":", "\"x\""})
  void identity_ofWhatHasNone_isEmpty(String json) {
    assertThat(JsonDocument.identity(json.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(ObjectIdentity.NONE);
  }

  @Test
  void status_isShownWithoutKindAndVersion() {
    String body =
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
            + "\"message\":\"pods \\\"x\\\" not found\",\"reason\":\"NotFound\","
            + "\"details\":{\"name\":\"x\",\"kind\":\"pods\"},\"code\":404}\n";

    ResponseStatus status = ResponseStatus.of(404, body.getBytes(StandardCharsets.UTF_8));

    assertThat(new String(status.json(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"pods \\\"x\\\" not found\","
                + "\"reason\":\"NotFound\",\"details\":{\"name\":\"x\",\"kind\":\"pods\"},"
                + "\"code\":404}");
  }

  @Test
  void status_ofAnotherBody_isItsCode() {
    ResponseStatus status =
        ResponseStatus.of(200, "{\"kind\":\"Pod\"}".getBytes(StandardCharsets.UTF_8));

    assertThat(new String(status.json(), StandardCharsets.UTF_8))
        .isEqualTo("{\"metadata\":{},\"code\":200}");
  }

  private static Optional<String> compact(String json) {
    return JsonDocument.compact(json.getBytes(StandardCharsets.UTF_8), Omission.NOTHING)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  private static Optional<String> omitting(String json) {
    return JsonDocument.compact(json.getBytes(StandardCharsets.UTF_8), Omission.MANAGED_FIELDS)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
  }

  @Test
  void text_returnsTheStringUnderAKey() {
    String json = "{'a':{'message':'no'},'message':'1\\u00e9\\n\\\\\\/\\b\\f\\r\\tx','b':1}";
    byte[] bytes = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);

    assertThat(JsonDocument.text(bytes, "message")).isEqualTo("1\u00e9\n\\/\b\f\r\tx");
    assertThat(JsonDocument.text(bytes, "b")).isEmpty();
    assertThat(JsonDocument.text(bytes, "c")).isEmpty();
    assertThat(JsonDocument.text("{'".getBytes(StandardCharsets.UTF_8), "c")).isEmpty();
    assertThat(JsonDocument.text("{}".getBytes(StandardCharsets.UTF_8), "c")).isEmpty();
  }
}
