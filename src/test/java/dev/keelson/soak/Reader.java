package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.keelson.soak.Api.Away;
import dev.keelson.soak.Api.Response;
import dev.keelson.soak.Observations.Scope;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Lists of every kind, chosen at random. */
final class Reader {

  private final Names names;
  private final ClientLog log;

  Reader(Names names, ClientLog log) {
    this.names = names;
    this.log = log;
  }

  void list(Api api, Random random) throws Away, InterruptedException {
    Scope scope = names.scope(random);
    String path = Api.path(scope.namespace()) + "?" + Watcher.selector(scope);
    long floor = log.newestWrite();
    switch (random.nextInt(6)) {
      case 0 -> newest(api, scope, path, floor);
      case 1 -> one(api, "cached list", scope, path + "&resourceVersion=0", 0);
      case 2 ->
          one(api, "list not older", scope, path + "&resourceVersion=" + Math.max(1, floor), floor);
      case 3 -> exact(api, scope, path, floor, random);
      default -> parts(api, scope, path, floor, random);
    }
  }

  private void newest(Api api, Scope scope, String path, long floor)
      throws Away, InterruptedException {
    long begun = System.nanoTime();
    long revision = one(api, "list", scope, path, floor);
    log.add(new Operation.ListAll(), new Operation.Listed(revision), begun);
  }

  private void exact(Api api, Scope scope, String path, long floor, Random random)
      throws Away, InterruptedException {
    long from = log.oldest.get();
    long revision = from + random.nextLong(Math.max(1, floor - from + 1));
    String exact = "&resourceVersionMatch=Exact&resourceVersion=" + revision;
    Response answer = api.send("GET", path + exact, "");
    if (answer.code() == 410) {
      log.gone.increment();
      log.oldest.accumulateAndGet(revision + 1, Math::max);
      return;
    }
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
    assertThat(answer.revision()).isEqualTo(revision);
    listed("exact list", scope, 0, answer.body());
  }

  private long one(Api api, String how, Scope scope, String path, long floor)
      throws Away, InterruptedException {
    Response answer = api.send("GET", path, "");
    assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
    listed(how, scope, floor, answer.body());
    return answer.revision();
  }

  private void parts(Api api, Scope scope, String path, long floor, Random random)
      throws Away, InterruptedException {
    int limit = 1 + random.nextInt(5);
    Map<String, JsonObject> all = new HashMap<>();
    String token = "";
    long revision = 0;
    do {
      Response answer =
          api.send(
              "GET", path + "&limit=" + limit + (token.isEmpty() ? "" : "&continue=" + token), "");
      if (answer.code() == 410) {
        log.gone.increment();
        return;
      }
      assertThat(answer.code()).as(answer.body().toString()).isEqualTo(200);
      assertThat(revision == 0 || revision == answer.revision()).as("one revision").isTrue();
      revision = answer.revision();
      Map<String, JsonObject> part = Watcher.items(names.prefix(), answer.body());
      assertThat(part.size()).isLessThanOrEqualTo(limit);
      for (Map.Entry<String, JsonObject> item : part.entrySet()) {
        assertThat(all.put(item.getKey(), item.getValue())).as("in two parts").isNull();
      }
      JsonElement next = answer.metadata().get("continue");
      token = next == null ? "" : next.getAsString();
    } while (!token.isEmpty());
    log.add(
        new Observations.Listed("list in parts", scope, floor, revision, Watcher.versions(all)));
  }

  private void listed(String how, Scope scope, long floor, JsonObject list) {
    long revision =
        Long.parseLong(list.getAsJsonObject("metadata").get("resourceVersion").getAsString());
    log.add(
        new Observations.Listed(
            how, scope, floor, revision, Watcher.versions(Watcher.items(names.prefix(), list))));
  }
}
