package dev.keelson.client.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Verbs against answers of a server. */
final class ApiClientTest {

  private static final DeleteRequest ANY = new DeleteRequest("", "", Dependents.DEFAULT);
  private static final DeleteRequest WITH_UID = new DeleteRequest("u", "", Dependents.DEFAULT);
  private static final DeleteRequest WITH_VERSION = new DeleteRequest("", "7", Dependents.DEFAULT);

  private static boolean delete(int status, String reason, DeleteRequest options)
      throws InterruptedException {
    String body = "{\"kind\":\"Status\",\"reason\":\"" + reason + "\",\"message\":\"m\"}";
    ApiTransport server =
        new ApiTransport() {
          @Override
          public Answer send(Request request) {
            return new Answer(status, body.getBytes(StandardCharsets.UTF_8));
          }

          @Override
          public Answer send(Request request, TimeLimit limit) {
            return send(request);
          }

          @Override
          public EventStream watch(Request request) {
            throw new UnsupportedOperationException();
          }
        };
    return new ApiClient(server)
        .deleteIfPresent(GroupVersion.CORE_V1.resource("pods"), "default", "p", options);
  }

  @Test
  void deleteIfPresent_tellsWhetherTheObjectWasThere() throws Exception {
    assertThat(delete(200, "", ANY)).isTrue();
    assertThat(delete(404, "NotFound", ANY)).isFalse();
    assertThat(delete(409, "Conflict", WITH_UID)).isFalse();
    assertThat(delete(409, "Conflict", WITH_VERSION)).isFalse();
  }

  @Test
  void deleteIfPresent_thatIsRefused_tellsTheError() {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> delete(409, "Conflict", ANY))
        .matches(error -> error.reason() == Reason.CONFLICT);
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> delete(403, "Forbidden", WITH_UID));
  }
}
