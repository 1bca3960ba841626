package dev.keelson.http.trail;

import dev.keelson.api.Verb;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailStore.Entry;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.request.RequestInfo;
import dev.keelson.work.Turn;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

/**
 * Lists of auditevents as CSV (RFC 4180), for requests that accept {@code text/csv} first; all
 * others go on. Without {@code limit} all selected events are sent, read in chunks while they are
 * written, so that memory does not grow with their number.
 */
public final class CsvLists implements RequestHandler {

  private static final String TYPE = "text/csv";

  private final RequestHandler next;
  private final TrailStore store;
  private final InstantSource clock;

  public CsvLists(RequestHandler next, TrailStore store, InstantSource clock) {
    this.next = next;
    this.store = store;
    this.clock = clock;
  }

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (exchange.info() instanceof RequestInfo.Resource info
        && info.verb() == Verb.LIST
        && info.groupResource().equals(AuditEvents.RESOURCE)
        && accepted(exchange.request().header("Accept"))) {
      return csv(exchange, info);
    }
    return next.answer(exchange);
  }

  private static boolean accepted(String accept) {
    String first = accept.strip().toLowerCase(Locale.ROOT);
    return first.startsWith(TYPE)
        && (first.length() == TYPE.length() || ",; ".indexOf(first.charAt(TYPE.length())) >= 0);
  }

  private ApiResponse csv(Exchange exchange, RequestInfo.Resource info) {
    Query query = exchange.request().query();
    TrailSelection.Selected selected =
        TrailSelection.of(info.namespace(), QueryOptions.selection(query), query, clock.instant());
    ObjectPath object = selected.object();
    TrailQuery events = object == null ? selected.query() : object.changes(selected.query());
    long limit = ListOptions.number(query, "limit");
    long most = limit <= 0 ? Long.MAX_VALUE : limit;
    // the first chunk is read before the response begins, so that a failure has a status
    List<Entry> first = chunk(events, TrailStore.NEWEST, most);
    Body.Streamed body = sink -> write(sink, events, first, most);
    return ApiResponse.of(200, TYPE + "; charset=utf-8; header=present", body);
  }

  private List<Entry> chunk(TrailQuery query, String before, long most) {
    int limit = (int) Math.min(AuditEvents.MOST, most);
    return TrailCall.ask(() -> store.search(query, before, limit));
  }

  private void write(Body.Sink sink, TrailQuery query, List<Entry> first, long most)
      throws InterruptedException {
    sink.write(part(CsvRow.HEAD));
    long left = most;
    List<Entry> chunk = first;
    while (!chunk.isEmpty()) {
      StringBuilder rows = new StringBuilder();
      for (Entry entry : chunk) {
        Turn.pass();
        rows.append(CsvRow.of(entry.id(), EventObjects.tree(entry)));
      }
      sink.write(part(rows.toString()));
      left -= chunk.size();
      chunk = left <= 0 ? List.of() : chunk(query, chunk.getLast().id(), left);
    }
  }

  private static Payload part(String text) {
    return Payload.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
