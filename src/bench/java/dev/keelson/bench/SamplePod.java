package dev.keelson.bench;

/** The pods of the benches: like the peer's, of 2 KB as sent or of 3.3 KB as served. */
final class SamplePod {

  private SamplePod() {}

  /** Its JSON with an annotation like any other. */
  static String json(int number) {
    return json(number, "a".repeat(120));
  }

  /**
   * Its JSON.
   *
   * @param number makes its name {@code pod-000042}, its label {@code tenth} and its node
   * @param note the value of its first annotation
   */
  static String json(int number, String note) {
    StringBuilder env = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      env.append(i == 0 ? "" : ",")
          .append("{\"name\":\"SETTING_%d\",\"value\":\"%s\"}".formatted(i, "value ".repeat(6)));
    }
    return """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%06d",
        "labels":{"app":"bench","tenth":"t%d","pod-template-hash":"5d7d7bdf5d"},
        "annotations":{"example.com/one":"%s","example.com/two":"%s"}},
        "spec":{"nodeName":"node-%d","containers":[{"name":"main","image":"registry.example.com/team/app:1.2.3",
        "ports":[{"containerPort":8080,"protocol":"TCP"}],"env":[%s],
        "resources":{"limits":{"cpu":"500m","memory":"256Mi"},"requests":{"cpu":"100m","memory":"128Mi"}},
        "readinessProbe":{"httpGet":{"path":"/ready","port":8080,"scheme":"HTTP"},"periodSeconds":10,
        "timeoutSeconds":1,"successThreshold":1,"failureThreshold":3},
        "volumeMounts":[{"name":"config","mountPath":"/etc/app"}]}],
        "volumes":[{"name":"config","configMap":{"name":"app"}}],
        "restartPolicy":"Always","dnsPolicy":"ClusterFirst","schedulerName":"default-scheduler"}}"""
        .formatted(number, number % 10, note, "b".repeat(120), number % 100, env);
  }

  /**
   * The JSON of a pod that is served with 3.3 KB: as many parts as the other one, shorter names and
   * values. Managed fields name each of twelve variables, so 2 KB as sent are 5 KB as served.
   *
   * @param number makes its name {@code pod-000042}, its label {@code tenth} and its node
   */
  static String shortJson(int number) {
    StringBuilder env = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      env.append(i == 0 ? "" : ",").append("{\"name\":\"E%d\",\"value\":\"v%d\"}".formatted(i, i));
    }
    return """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%06d","labels":{"app":"bench","tenth":"t%d"},
        "annotations":{"example.com/one":"a note"}},"spec":{"nodeName":"node-%d","containers":[{"name":"main",
        "image":"registry.example.com/app:1","env":[%s],"resources":{"requests":{"cpu":"100m","memory":"128Mi"}},
        "readinessProbe":{"httpGet":{"path":"/ready","port":8080}},
        "volumeMounts":[{"name":"config","mountPath":"/etc/app"}]}],
        "volumes":[{"name":"config","configMap":{"name":"app"}}],"automountServiceAccountToken":false}}"""
        .formatted(number, number % 10, number % 100, env);
  }
}
