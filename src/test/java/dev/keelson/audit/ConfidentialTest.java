package dev.keelson.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ObjectReference;
import dev.keelson.audit.event.ResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfidentialTest {

  @ParameterizedTest
  @CsvSource({
    "'',secrets,''",
    "'',configmaps,''",
    "'',serviceaccounts,token",
    "authentication.k8s.io,tokenreviews,''",
  })
  void refusalsOfConfidentialObjects_areWithoutTheirMessage(
      String group, String resource, String subresource) {
    ObjectReference object = object(group, resource, subresource);

    for (Level level : new Level[] {Level.METADATA, Level.REQUEST}) {
      assertThat(shown(422, object, level, Map.of()))
          .isEqualTo(
              "{\"metadata\":{},\"status\":\"Failure\",\"message\":\"left out, since it may quote"
                  + " the object\",\"reason\":\"Invalid\",\"code\":422}");
    }
    assertThat(shown(422, object, Level.REQUEST_RESPONSE, Map.of())).contains("quoted", "details");
  }

  @ParameterizedTest
  @CsvSource({
    "'',serviceaccounts,''",
    "'',pods,''",
    "apps,secrets,''",
    "authentication.k8s.io,selfsubjectreviews,''",
  })
  void refusalsOfOthers_areWhole(String group, String resource, String subresource) {
    assertThat(shown(422, object(group, resource, subresource), Level.METADATA, Map.of()))
        .contains("quoted", "details");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 422, 500, 502, 503, 504})
  void codesOfQuotingMessages_areWithoutThem(int code) {
    assertThat(shown(code, object("", "secrets", ""), Level.METADATA, Map.of()))
        .contains("left out", "\"code\":" + code)
        .doesNotContain("quoted");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 401, 404, 405, 406, 409, 410, 413, 415, 429})
  void codesOfNamingMessages_haveThem(int code) {
    assertThat(shown(code, object("", "secrets", ""), Level.METADATA, Map.of())).contains("quoted");
  }

  @Test
  void denialOfTheAuthorizer_isWhole() {
    assertThat(
            shown(
                403,
                object("", "secrets", ""),
                Level.METADATA,
                Map.of("authorization.k8s.io/decision", "forbid")))
        .contains("quoted");
  }

  @Test
  void outcomeWithoutAMessage_getsNone() {
    ResponseStatus plain = ResponseStatus.of(500);

    ResponseStatus shown =
        Confidential.shown(plain, object("", "secrets", ""), Level.METADATA, Map.of());
    assertThat(text(shown)).isEqualTo("{\"metadata\":{},\"code\":500}");
    assertThat(Confidential.shown(null, null, Level.METADATA, Map.of())).isNull();
  }

  private static ObjectReference object(String group, String resource, String subresource) {
    return new ObjectReference(resource, "ns", "n", "", group, "v1", "", subresource);
  }

  private static String shown(
      int code, ObjectReference object, Level level, Map<String, String> annotations) {
    String json =
        "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
            + "\"message\":\"quoted\",\"reason\":\"Invalid\",\"details\":{\"causes\":[]},\"code\":"
            + code
            + "}";
    ResponseStatus status = ResponseStatus.of(code, json.getBytes(StandardCharsets.UTF_8));
    return text(Confidential.shown(status, object, level, annotations));
  }

  private static String text(@Nullable ResponseStatus status) {
    return new String(Objects.requireNonNull(status).json(), StandardCharsets.UTF_8);
  }
}
