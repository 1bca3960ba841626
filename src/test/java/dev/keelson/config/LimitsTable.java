package dev.keelson.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of limits in docs/flags.md, each with the tests that show its effect. */
final class LimitsTable {

  private static final Path TESTS = Path.of("src", "test", "java");

  private LimitsTable() {}

  /**
   * A limit.
   *
   * @param tests class and method of each
   */
  private record Limit(String name, String value, String effect, List<String> tests) {}

  private static Limit limit(String name, String value, String effect, String... tests) {
    return new Limit(name, value, effect, List.of(tests));
  }

  private static final List<Limit> LIMITS =
      List.of(
          limit(
              "history for watches and exact lists",
              "`--etcd-compaction-interval`, 5m",
              "410 `Expired` beyond it",
              "LimitsIT.history_andContinueTokens_lastAsLongAsTheStoreKeepsThem",
              "HistoryContract.watch_fromBeforeTheCompaction_isNotServedFromTheCache"),
          limit(
              "lifetime of continue tokens",
              "that of the history",
              "410 `Expired`, with a token for the rest as it is now",
              "LimitsIT.history_andContinueTokens_lastAsLongAsTheStoreKeepsThem"),
          limit(
              "`--max-requests-inflight`, `--max-mutating-requests-inflight`",
              "400, 200",
              "seats of priority and fairness, without it limits of their own; 429 beyond",
              "PriorityAndFairnessIT.floodOfOneUser_isQueuedAndRejected_butDelaysNobodyElse",
              "OverloadIT.flood_isRefused_leasesAreRenewed_andTheServerRecovers",
              "MaxInFlightFilterTest.requestsAboveTheLimit_areRefused_butNotThoseOfMasters"),
          limit(
              "`--min-request-timeout`",
              "1800 s",
              "a watch without timeoutSeconds lasts so long, at most twice",
              "LimitsIT.watchWithoutTimeout_lastsAtLeastTheMinimum_atMostTwice"),
          limit(
              "`timeoutSeconds`",
              "of the request",
              "a watch ends then",
              "LimitsIT.watchWithTimeout_lastsThatLong"),
          limit(
              "`--request-timeout`, `?timeout=`",
              "1m",
              "504 `Timeout`; what waits for a webhook or the store ends, and what evaluates"
                  + " expressions; a list that is being sent is cut",
              "DeadlinesIT.etcdThatStalls_isNotWaitedForAfterTheDeadline",
              "DeadlinesIT.costlyExpressions_endWithTheDeadline",
              "DeadlinesIT.longList_isCutAtTheDeadline",
              "LimitsIT.deleteCollection_deletesSoManyAtATime_andEndsWithItsRequest",
              "RequestDeadlineTest.timeout_isWhatTheClientAsksFor_upToTheBound"),
          limit(
              "`--default-watch-cache-size`",
              "100",
              "types are kept in the watch cache; 0 keeps none",
              "CachedTypesTest.sizes_sayWhatIsKept"),
          limit(
              "`--delete-collection-workers`",
              "1",
              "objects of one request that are deleted at a time",
              "LimitsIT.deleteCollection_deletesSoManyAtATime_andEndsWithItsRequest"),
          limit(
              "`--max-connection-bytes-per-sec`",
              "0",
              "long-running requests of a connection together get so many bytes",
              "ConnectionTrafficIT.watch_getsTheBytesOfItsConnection",
              "ConnectionTrafficIT.watchOverWebSocket_getsTheBytesOfItsConnection",
              "ConnectionTrafficIT.otherRequestsOfTheConnection_areNotLimited"),
          limit(
              "`--http2-max-streams-per-connection`",
              "100",
              "is announced to clients",
              "LimitsIT.connectionOfHttp2_hasSoManyStreams"),
          limit("`--event-ttl`", "1h", "an Event is gone then", "LimitsIT.event_isGoneAfterItsTtl"),
          limit(
              "`--default-not-ready-toleration-seconds`,"
                  + " `--default-unreachable-toleration-seconds`",
              "300 each",
              "are added to pods",
              "LimitsIT.pod_toleratesMissingNodesSoLong"),
          limit(
              "termination message",
              "4096 bytes, 12 kB of all containers",
              "of simulated nodes; the fallback to logs is the kubelet's",
              "ContainerSimulationTest.messages_endWithWholeCharacters"),
          limit(
              "`restartCount`",
              "what the node reports",
              "the limit of 5 is that of a kubelet that has removed dead containers; simulated"
                  + " nodes keep none and count all",
              "SimulatedNodesOnServerTest.stages_makeContainersFailAndStartAgain"),
          limit(
              "`--kube-api-qps`, `--kube-api-burst`",
              "20, 30; scheduler 50, 100",
              "requests of a controller are limited",
              "ControllerRateIT.requestsOfAController_areLimited",
              "ComponentFlagsTest.defaults_areThoseOfKubernetes"),
          limit(
              "`--leader-elect-lease-duration`, `-renew-deadline`, `-retry-period`",
              "15s, 10s, 2s",
              "another process takes over",
              "StandaloneControllersIT"
                  + ".otherProcess_takesOver_whenTheLeaderIsKilled_andALeaderThatIsDeposedEnds",
              "ComponentFlagsTest.defaults_areThoseOfKubernetes"),
          limit(
              "secure ports",
              "10257, 10259",
              "controllers and scheduler serve probes and metrics there",
              "StandaloneSchedulerIT.probes_areForEverybody",
              "ComponentFlagsTest.defaults_areThoseOfKubernetes"));

  /** The section of the document. */
  static String text() {
    StringBuilder text =
        new StringBuilder(
            """

            ## Limits

            Every limit has tests that show its effect; a test checks that they exist.

            | limit | default | effect | tests |
            |---|---|---|---|
            """);
    for (Limit limit : LIMITS) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  limit.name,
                  limit.value,
                  limit.effect,
                  limit.tests.stream()
                      .map(test -> "`" + test + "`")
                      .collect(Collectors.joining(", "))));
    }
    return text.toString();
  }

  /** The named tests that do not exist. */
  static List<String> missing() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    try (Stream<Path> files = Files.walk(TESTS)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (LIMITS.stream()
            .flatMap(limit -> limit.tests.stream())
            .anyMatch(test -> test.startsWith(name + "."))) {
          sources.put(name, Files.readString(file));
        }
      }
    }
    return LIMITS.stream()
        .flatMap(limit -> limit.tests.stream())
        .filter(
            test -> {
              int dot = test.indexOf('.');
              String source = sources.getOrDefault(test.substring(0, dot), "");
              return !source.contains("void " + test.substring(dot + 1) + "(");
            })
        .toList();
  }
}
