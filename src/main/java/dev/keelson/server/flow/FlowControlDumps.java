package dev.keelson.server.flow;

import dev.keelson.flow.level.Level;
import dev.keelson.flow.level.PriorityLevels;
import dev.keelson.flow.queue.QueueDump;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.Route;
import dev.keelson.request.RequestInfo;
import dev.keelson.value.GoDuration;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The debug endpoints of priority and fairness: tables of levels, queues and requests, as
 * comma-separated values in aligned columns (source: apf_controller_debug.go).
 *
 * @param levels the levels
 */
public record FlowControlDumps(PriorityLevels levels) implements Route {

  private static final String PREFIX = "/debug/api_priority_and_fairness/";
  private static final int NARROWEST = 8;

  /** The index of requests that are executed, and of those of a level without queues. */
  private static final int NOWHERE = -1;

  /** Go's zero time: the request waits. */
  private static final String NEVER = "0001-01-01T00:00:00Z";

  @Override
  public boolean serves(String path) {
    return switch (path) {
      case PREFIX + "dump_priority_levels", PREFIX + "dump_queues", PREFIX + "dump_requests" ->
          true;
      default -> false;
    };
  }

  @Override
  public Optional<ApiResponse> answer(ApiRequest request) {
    return switch (request.path()) {
      case PREFIX + "dump_priority_levels" -> text(priorityLevels());
      case PREFIX + "dump_queues" -> text(queues());
      case PREFIX + "dump_requests" ->
          text(requests(!request.query().first("includeRequestDetails").isEmpty()));
      default -> Optional.empty();
    };
  }

  private static Optional<ApiResponse> text(List<List<String>> rows) {
    return Optional.of(
        ApiResponse.of(
            200, "text/plain; charset=utf-8", table(rows).getBytes(StandardCharsets.UTF_8)));
  }

  private List<List<String>> priorityLevels() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "PriorityLevelName",
            "ActiveQueues",
            "IsIdle",
            "IsQuiescing",
            "WaitingRequests",
            "ExecutingRequests",
            "DispatchedRequests",
            "RejectedRequests",
            "TimedoutRequests",
            "CancelledRequests"));
    for (Level level : levels.levels()) {
      QueueDump dump = level.queues().dump();
      long active = dump.queues().stream().filter(queue -> !queue.requests().isEmpty()).count();
      rows.add(
          List.of(
              level.spec().name(),
              Long.toString(active),
              Boolean.toString(dump.isIdle()),
              Boolean.toString(level.isQuiescing()),
              Integer.toString(dump.waiting()),
              Integer.toString(dump.executing()),
              Long.toString(dump.totals().dispatched()),
              Long.toString(dump.totals().rejected()),
              Long.toString(dump.totals().timedOut()),
              Long.toString(dump.totals().cancelled())));
    }
    return rows;
  }

  private List<List<String>> queues() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "PriorityLevelName",
            "Index",
            "PendingRequests",
            "ExecutingRequests",
            "SeatsInUse",
            "NextDispatchR",
            "InitialSeatsSum",
            "MaxSeatsSum",
            "TotalWorkSum"));
    for (Level level : levels.levels()) {
      int index = 0;
      for (QueueDump.Queue queue : level.queues().dump().queues()) {
        rows.add(
            List.of(
                level.spec().name(),
                Integer.toString(index++),
                Integer.toString(queue.requests().size()),
                Integer.toString(queue.executing().size()),
                Integer.toString(queue.seatsInUse()),
                seatSeconds(queue.nextDispatchR()),
                Integer.toString(queue.initialSeats()),
                Integer.toString(queue.maxSeats()),
                seatSeconds(queue.work())));
      }
    }
    return rows;
  }

  private static String seatSeconds(double value) {
    return String.format(Locale.ROOT, "%.8fss", value);
  }

  private List<List<String>> requests(boolean details) {
    List<List<String>> rows = new ArrayList<>();
    List<String> head =
        new ArrayList<>(
            List.of(
                "PriorityLevelName",
                "FlowSchemaName",
                "QueueIndex",
                "RequestIndexInQueue",
                // as Kubernetes spells it
                "FlowDistingsher",
                "ArriveTime",
                "InitialSeats",
                "FinalSeats",
                "AdditionalLatency",
                "StartTime"));
    if (details) {
      head.addAll(
          List.of(
              "UserName",
              "Verb",
              "APIPath",
              "Namespace",
              "Name",
              "APIVersion",
              "Resource",
              "SubResource"));
    }
    rows.add(head);
    for (Level level : levels.levels()) {
      String name = level.spec().name();
      QueueDump dump = level.queues().dump();
      int queueIndex = 0;
      for (QueueDump.Queue queue : dump.queues()) {
        int index = 0;
        for (QueueDump.Request request : queue.requests()) {
          rows.add(row(name, queueIndex, index++, request, details));
        }
        for (QueueDump.Request request : queue.executing()) {
          rows.add(row(name, queueIndex, NOWHERE, request, details));
        }
        queueIndex++;
      }
      for (QueueDump.Request request : dump.alone()) {
        rows.add(row(name, NOWHERE, NOWHERE, request, details));
      }
    }
    return rows;
  }

  private static List<String> row(
      String level, int queue, int index, QueueDump.Request request, boolean details) {
    List<String> row =
        new ArrayList<>(
            List.of(
                level,
                request.flow().schema(),
                Integer.toString(queue),
                Integer.toString(index),
                request.flow().distinguisher(),
                Instant.ofEpochMilli(request.arrivalMillis()).toString(),
                Integer.toString(request.work().initialSeats()),
                Integer.toString(request.work().finalSeats()),
                new GoDuration(request.work().additional().toNanos()).toString(),
                request.startMillis() == 0
                    ? NEVER
                    : Instant.ofEpochMilli(request.startMillis()).toString()));
    if (details && request.flow().details() instanceof Exchange exchange) {
      row.add(exchange.context().user().name());
      switch (exchange.info()) {
        case RequestInfo.Resource info ->
            row.addAll(
                List.of(
                    info.verb().word(),
                    info.path(),
                    info.namespace(),
                    info.name(),
                    info.groupVersion().toString(),
                    info.resource(),
                    info.subresource()));
        case RequestInfo.NonResource other ->
            row.addAll(List.of(other.verb(), other.path(), "", "", "", "", ""));
      }
    }
    return row;
  }

  private static String table(List<List<String>> rows) {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        int width = Math.max(NARROWEST, row.get(i).length() + 2);
        if (i < widths.size()) {
          widths.set(i, Math.max(widths.get(i), width));
        } else {
          widths.add(width);
        }
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        boolean last = i == row.size() - 1;
        text.append(row.get(i));
        if (!last) {
          text.append(',').repeat(' ', widths.get(i) - row.get(i).length() - 1);
        }
      }
      text.append('\n');
    }
    return text.toString();
  }
}
