package dev.keelson.http.trail;

import static dev.keelson.audit.trail.TrailEvents.NOON;
import static dev.keelson.audit.trail.TrailEvents.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.Verb;
import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.sqlite.SqliteTrail;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CsvListsTest {

  private static final ApiResponse OTHER = ApiResponse.of(200, "other", new byte[0]);

  @TempDir Path directory;

  private SqliteTrail store;
  private CsvLists lists;

  @BeforeEach
  void open() throws Exception {
    store = SqliteTrail.open(directory.resolve("trail.db"), Duration.ofSeconds(10));
    lists = new CsvLists(exchange -> OTHER, store, InstantSource.fixed(NOON));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void list_thatAcceptsCsv_hasARowForEachEvent() throws Exception {
    TrailEvent event =
        get("a")
            .by("bob", "ops", "devs")
            .agent("=cmd|' /C calc'!A0")
            .answered(404, "say \"no\",\nplease")
            .row();
    store.append(List.of(event, get("b").at(NOON.plusSeconds(1)).row()));

    ApiResponse response = lists.answer(list("text/csv", "fieldSelector=user%3Dbob"));

    assertThat(response.header("Content-Type"))
        .isEqualTo("text/csv; charset=utf-8; header=present");
    assertThat(text(response))
        .isEqualTo(
            "event,time,auditID,stage,level,user,impersonatedUser,groups,verb,apiGroup,resource,"
                + "subresource,namespace,name,uid,code,decision,sourceIPs,userAgent,requestURI,"
                + "message\r\n"
                + event.id()
                + ",2026-03-04T12:00:00.000000Z,a,ResponseComplete,Metadata,bob,,ops devs,get,,"
                + "configmaps,,shop,settings,u-1,404,allow,10.0.0.1 192.0.2.7,"
                + "'=cmd|' /C calc'!A0,/api/v1/namespaces/shop/configmaps/settings,"
                + "\"say \"\"no\"\",\nplease\"\r\n");
  }

  @Test
  void list_withoutALimit_hasAllChunks() throws Exception {
    List<TrailEvent> rows = new ArrayList<>();
    for (int i = 0; i < AuditEvents.MOST + 7; i++) {
      rows.add(get("e" + i).at(NOON.plusSeconds(i)).row());
    }
    store.append(rows);

    assertThat(text(lists.answer(list("text/csv;q=1, */*", ""))).lines())
        .hasSize(AuditEvents.MOST + 8);
    assertThat(text(lists.answer(list("text/csv", "limit=3"))).lines()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "application/json", "application/json, text/csv", "text/csvx", "*/*"})
  void list_thatDoesNotAcceptCsvFirst_goesOn(String accept) {
    assertThat(lists.answer(list(accept, ""))).isSameAs(OTHER);
  }

  @Test
  void list_whileTheTrailIsAway_fails() {
    store.close();

    assertThatThrownBy(() -> lists.answer(list("text/csv", "")))
        .hasMessage("the audit trail is not available; please try again");
  }

  private static String text(ApiResponse response) throws InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ((Body.Streamed) response.body()).writeTo(part -> bytes.writeBytes(part.toByteArray()));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static Exchange list(String accept, String query) {
    return new Exchange(
        new ApiRequest(
            "GET",
            "/",
            Query.parse(query),
            Map.of("accept", List.of(accept)),
            new byte[0],
            List.of(),
            "10.0.0.1"),
        new RequestInfo.Resource(
            "/",
            Verb.LIST,
            new GroupVersion("audit.keelson.dev", "v1"),
            "",
            "auditevents",
            "",
            "",
            "",
            false),
        new RequestContext(new UserInfo("auditor", "", List.of(), Map.of()), "audit"));
  }
}
