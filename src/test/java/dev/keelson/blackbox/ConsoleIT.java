package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Browser;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/**
 * The console in a browser, as its users see it. With {@code -Dkeelson.screenshots=FOLDER} the
 * views are kept as pictures ({@code make screenshots}).
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class ConsoleIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String TABLE = "/console/list/core/v1/configmaps/default";

  private KeelsonProcess server;
  private FaultProxy network;
  private RestClient other;
  private Browser browser;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens = ConsoleUsers.tokens(directory);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of("--token-auth-file=" + tokens, "--authorization-mode=RBAC"));
    other = RestClient.administrator(server);
    network = FaultProxy.to(server.address().getPort());
    allowBob();
  }

  /** Bob may read config maps of one namespace, and nothing else. */
  private void allowBob() {
    other.post("/api/v1/namespaces", named("Namespace", "garden"));
    ConsoleUsers.allowReading(other, "garden", "bob", "User", "bob");
  }

  @AfterAll
  void stop() {
    network.close();
    server.close();
  }

  @BeforeEach
  void startBrowser() {
    browser = Browser.start(network.endpoint("https"));
  }

  @AfterEach
  void stopBrowser() {
    try {
      browser.assertQuiet();
    } finally {
      browser.close();
    }
  }

  @Test
  void signIn_showsTheOverview_andSignOutEndsIt() {
    browser.open("/console/");
    browser.type("input[name=token]", "wrong");
    browser.click("button", "Sign in");
    browser.awaitText("does not accept this token");
    picture("sign-in");

    signIn("root", "/console/");
    browser.find("[data-health=good]");
    browser.find(".counts a", "Namespace");
    // the namespaces are counted, so that every count before theirs is there
    browser.await(
        "[...document.querySelectorAll('.counts li')]"
            + ".some(row => /^Namespace\\s*\\d+$/.test(row.textContent.trim()))");
    picture("overview");

    browser.click("button", "Sign out");
    browser.find("input[name=token]");
    browser.open(TABLE);
    browser.find("input[name=token]");
    assertThat(browser.text()).doesNotContain("kube-root-ca.crt");
  }

  @Test
  void table_changesWhileAnotherClientWrites() {
    signIn("root", TABLE);
    browser.find("[data-state=live]");

    other.post(CONFIG_MAPS, ConsoleUsers.configMap("live", Map.of("a", "b")));
    browser.find(".rows a", "live");
    other.delete(CONFIG_MAPS + "/live");
    browser.awaitGone(".rows a[href$='/live']");
  }

  /** A connection breaks for many reasons; what changed meanwhile must not be missed. */
  @Test
  void watchThatIsCut_goesOnWhereItEnded() {
    signIn("root", TABLE);
    browser.find("[data-state=live]");

    network.refuse();
    network.cut();
    browser.find("[data-state=waiting]");
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("meanwhile", Map.of()));
    network.admit();

    browser.find(".rows a", "meanwhile");
    browser.find("[data-state=live]");
  }

  @Test
  void filterAndOrder_areInTheAddress() {
    other.post(CONFIG_MAPS, labelled("apple", "fruit"));
    other.post(CONFIG_MAPS, labelled("pear", "fruit"));
    other.post(CONFIG_MAPS, labelled("leek", "plant"));
    signIn("root", TABLE + "?labels=kind%3Dfruit&sort=-Name");
    browser.find("[data-state=live]");

    awaitNames("pear", "apple");

    browser.type("input[name=q]", "app");
    awaitNames("apple");
    assertThat(browser.evaluate("location.search")).asString().contains("q=app", "sort=-Name");

    browser.type("input[name=q]", "e");
    browser.type("input[name=fields]", "metadata.name!=apple");
    browser.press(Keys.ENTER);
    awaitNames("pear");
    browser.type("input[name=fields]", "metadata.name");
    browser.press(Keys.ENTER);
    browser.find("[role=alert]");
  }

  @Test
  void longTable_hasOnlyTheRowsThatAreSeen() {
    other.post("/api/v1/namespaces", named("Namespace", "many"));
    for (int i = 0; i < 1100; i++) {
      other.post(
          "/api/v1/namespaces/many/configmaps",
          ConsoleUsers.configMap("item-%04d".formatted(i), Map.of()));
    }
    signIn("root", "/console/list/core/v1/configmaps/many");
    browser.awaitText("1,101 objects");
    browser.find("[data-state=live]");

    assertThat(browser.count(".rows tbody tr")).isLessThan(80);
    browser.evaluate("document.querySelector('.rows').scrollTop = 1e9");
    browser.find(".rows a", "kube-root-ca.crt");
    assertThat(browser.count(".rows tbody tr")).isLessThan(80);
  }

  @Test
  void object_showsOwnersDependentsAndWhoOwnsWhichField() {
    other.post(DEPLOYMENTS, deployment("web", 2));
    signIn("root", "/console/object/apps/v1/deployments/default/web");

    // what the ReplicaSet owns is below it
    browser.find(".dependents .tree .tree a");
    browser.awaitText("Progressing");
    browser.awaitText("ScalingReplicaSet");
    picture("object");
    browser.click("[role=tab]", "YAML");
    browser.awaitText("  replicas: 2");
    browser.click("[role=tab]", "Who owns which field");
    browser.find(".line[data-owner]");
    picture("owners");
    browser.click("[role=tab]", "Summary");
    browser.click(".dependents .tree .tree a");
    browser.awaitText("controls it");
    browser.find(".tree .tree a", "web");
  }

  @Test
  void scale_isTriedAndShownBeforeItIsWritten() {
    other.post(DEPLOYMENTS, deployment("scaled", 1));
    signIn("root", "/console/object/apps/v1/deployments/default/scaled");

    browser.click(".actions button", "Scale");
    browser.find("dialog button.primary:not(:disabled)");
    browser.type("input[name=replicas]", "3");
    browser.click("dialog button", "Review");
    browser.find(".diff .added", "+   replicas: 3");
    picture("review");
    assertThat(replicas("scaled")).isEqualTo(1);

    browser.click("dialog button", "Scale to 3");
    browser.awaitGone("dialog");
    assertThat(replicas("scaled")).isEqualTo(3);
  }

  @Test
  void restart_isThatOfKubectl() {
    other.post(DEPLOYMENTS, deployment("restarted", 1));
    signIn("root", "/console/object/apps/v1/deployments/default/restarted");

    browser.click(".actions button", "Restart");
    browser.awaitText("as by kubectl rollout restart");
    browser.await(
        "[...document.querySelectorAll('.diff .added')]"
            + ".some(line => line.textContent.includes('kubectl.kubernetes.io/restartedAt'))");
    browser.click("dialog button.primary:not(:disabled)");
    browser.awaitGone("dialog");

    assertThat(
            other
                .get(DEPLOYMENTS + "/restarted")
                .<Map<String, String>>path("spec.template.metadata.annotations"))
        .containsKey("kubectl.kubernetes.io/restartedAt");
  }

  /** The rates need two samples, five seconds apart. */
  @Test
  void overview_showsTheRatesOfRequests() {
    signIn("root", "/console/");

    browser.await(
        "[...document.querySelectorAll('.pane dt')].some(each =>"
            + " each.textContent === 'get' && Number(each.nextSibling.textContent) > 0)");
  }

  @Test
  void edit_isShownAsADifference_andRefusedAfterAnotherWrite() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("edited", Map.of("colour", "red")));
    signIn("root", "/console/object/core/v1/configmaps/default/edited?tab=edit");
    browser.replaceInEditor("colour: red", "colour: blue");
    browser.click("button", "Review changes");
    browser.find(".diff .removed", "-   colour: red");
    browser.find(".diff .added", "+   colour: blue");
    picture("edit");
    assertThat(colour()).isEqualTo("red");
    browser.click("button", "Update");
    browser.find(".yaml");
    assertThat(colour()).isEqualTo("blue");

    browser.click("[role=tab]", "Edit");
    browser.replaceInEditor("colour: blue", "colour: green");
    other
        .request()
        .contentType("application/merge-patch+json")
        .body("{\"data\":{\"shape\":\"round\"}}")
        .patch(CONFIG_MAPS + "/edited");
    browser.awaitText("has changed since");
    browser.click("button", "Review changes");
    browser.awaitText("the object has been modified");
    assertThat(colour()).isEqualTo("blue");

    browser.click("button", "Back");
    browser.click("button", "Keep my changes on the newer version");
    browser.awaitGone("p.hint");
    browser.click("button", "Review changes");
    browser.find(".diff .added", "+   colour: green");
    browser.click("button", "Update");
    browser.find(".yaml");
    Map<String, String> data = other.get(CONFIG_MAPS + "/edited").path("data");
    assertThat(data).isEqualTo(Map.of("colour", "green", "shape", "round"));
  }

  @Test
  void conflictsOfApply_nameTheFieldAndItsManager() {
    other
        .request()
        .contentType("application/apply-patch+yaml")
        .body(
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"shared\"},"
                + "\"data\":{\"colour\":\"red\"}}")
        .patch(CONFIG_MAPS + "/shared?fieldManager=gardener");
    signIn("root", "/console/object/core/v1/configmaps/default/shared?tab=edit");
    browser.click("label", "Apply some fields");
    browser.replaceInEditor("metadata:", "data:\n  colour: blue\nmetadata:");
    browser.click("button", "Review changes");

    browser.find(".conflicts code", ".data.colour");
    browser.find(".conflicts td", "gardener");
    picture("conflicts");
    browser.click("button", "Take these fields over");
    browser.click("button", "Apply and take over");
    browser.find(".yaml");
    assertThat(other.get(CONFIG_MAPS + "/shared").<String>path("data.colour")).isEqualTo("blue");
  }

  /** Without an audit trail, by the history of the store. */
  @Test
  void changesOfANamespace_areThoseOfTheHistory() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("moved", Map.of("a", "b")));
    signIn(
        "root", "/console/changes?namespace=default&from=2020-01-01T00:00&until=2090-01-01T00:00");
    browser.awaitText("From the history in the store");

    browser.click("button", "Show changes");

    browser.click(".events a", "moved");
    browser.find(".slider");
    browser.awaitText("1 of 1");
  }

  @Test
  void delete_saysWhatItDoes_andDeletes() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("doomed", Map.of()));
    signIn("root", "/console/object/core/v1/configmaps/default/doomed");

    browser.click(".actions button", "Delete");
    browser.awaitText("what it owns is deleted after it");
    browser.click("dialog button", "Review");
    browser.awaitText("The object would be gone at once.");
    browser.click("dialog button", "Delete doomed");
    browser.find(".state", "deleted");
    assertThat(other.get(CONFIG_MAPS + "/doomed").statusCode()).isEqualTo(404);
  }

  /** Names are limited to DNS labels; everything else is what somebody wrote. */
  @Test
  void hostileTexts_areShownAndNeverRun() {
    String script =
        "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
    other.post(
        CONFIG_MAPS,
        Map.of(
            "metadata",
                Map.of(
                    "name",
                    "hostile",
                    "annotations",
                    Map.of(
                        "note",
                        script,
                        "link",
                        "javascript:document.title='owned'",
                        "turned",
                        "gnp.\u202etxt",
                        "long",
                        "far ".repeat(100))),
            "data",
                Map.of(
                    "page.html", script, "break", "</pre></script>" + script, "line", "a\u2028b")));
    signIn("root", "/console/object/core/v1/configmaps/default/hostile");
    browser.awaitText(script);
    browser.awaitText("gnp.\\u202etxt");
    browser.awaitGone("details[open]");
    browser.click("summary", "400 characters");
    browser.awaitText("far far far");
    for (String tab : List.of("YAML", "Who owns which field")) {
      browser.click("[role=tab]", tab);
      browser.awaitText("onerror=");
      browser.awaitText("\"gnp.\\u202etxt\"");
    }
    browser.click("[role=tab]", "Edit");
    browser.awaitEditor();
    browser.open(TABLE + "?q=" + "%3Cscript%3Edocument.title%3D%27owned%27%3C%2Fscript%3E");
    browser.awaitText("No object matches");
    browser.open("/console/list/core/v1/%3Cscript%3E/x");
    browser.awaitText("no such type");

    assertThat(browser.title()).doesNotContain("owned");
    assertThat(browser.count("#app img, #app script")).isZero();
  }

  /** What the policy is for: a script that came into the page all the same. */
  @Test
  void injectedScript_isRefusedByThePolicy() {
    signIn("root", "/console/");
    browser.find(".overview");

    Object refused =
        browser.evaluate(
            "(() => { try { document.body.innerHTML = '<b>x</b>'; return 'written'; }"
                + " catch (error) { return error.name; } })()");

    assertThat(refused).isEqualTo("TypeError");
    // the refusal itself is in the log of the browser
    assertThat(browser.log()).anyMatch(line -> line.contains("TrustedHTML"));
  }

  @Test
  void rightsThatAreMissing_areSaid() {
    signIn("little", "/console/list/core/v1/secrets/default");
    browser.awaitText("secrets is forbidden: User \"bob\" cannot list");
    picture("forbidden");

    browser.open("/console/list/core/v1/configmaps/garden");
    browser.click(".rows a", "kube-root-ca.crt");
    browser.find("[role=tab]", "YAML");
    String namespaces = "[...document.querySelectorAll('.namespaces option')].map(o => o.value)";
    browser.await(namespaces + ".includes('garden')");
    Object offered = browser.evaluate(namespaces);
    assertThat(offered)
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .contains("garden")
        .doesNotContain("kube-system");

    browser.open("/console/access?verb=get&resource=secrets&namespace=default");
    browser.awaitText("No subject is known who can get secrets in default");
    browser.open("/console/object/core/v1/configmaps/garden/absent");
    browser.awaitText("configmaps \"absent\" not found");
    assertThat(browser.count("[role=alert]")).isEqualTo(1);
  }

  @Test
  void smallAndDarkScreens_areReadable() {
    browser.prefer("prefers-color-scheme", "dark");
    browser.resize(400, 800);
    signIn("root", TABLE);
    browser.find("[data-state=live]");

    assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
    assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        .isEqualTo("rgb(16, 21, 27)");
    browser.click(".menu");
    browser.click(".types a", "Secret");
    browser.find("h1", "Secret");
    browser.find("[data-state=live]");
    browser.awaitText(" object");
    picture("small");
  }

  private void signIn(String token, String path) {
    browser.open(path);
    browser.signIn(token);
  }

  /** Waits until the table has these rows and no others: while it is read again it has none. */
  private void awaitNames(String... names) {
    browser.await(
        "[...document.querySelectorAll('.rows td a')].map(a => a.textContent).join(' ') === '%s'"
            .formatted(String.join(" ", names)));
  }

  private void picture(String name) {
    @Nullable String folder = System.getProperty("keelson.screenshots");
    if (folder != null) {
      browser.screenshot(Path.of(folder, name + ".png"));
    }
  }

  private int replicas(String name) {
    return other.get(DEPLOYMENTS + "/" + name).<Integer>path("spec.replicas");
  }

  private String colour() {
    Response object = other.get(CONFIG_MAPS + "/edited");
    return object.path("data.colour");
  }

  private static Map<String, Object> named(String kind, String name) {
    return Map.of("apiVersion", "v1", "kind", kind, "metadata", Map.of("name", name));
  }

  private static Map<String, Object> labelled(String name, String kind) {
    return Map.of("metadata", Map.of("name", name, "labels", Map.of("kind", kind)));
  }

  private static Map<String, Object> deployment(String name, int replicas) {
    Map<String, Object> labels = Map.of("app", name);
    return Map.of(
        "metadata", Map.of("name", name),
        "spec",
            Map.of(
                "replicas", replicas,
                "selector", Map.of("matchLabels", labels),
                "template",
                    Map.of(
                        "metadata", Map.of("labels", labels),
                        "spec",
                            Map.of(
                                "containers", List.of(Map.of("name", "main", "image", "nginx"))))));
  }
}
