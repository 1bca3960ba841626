package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.Browser;
import dev.keelson.testing.CertificateProxy;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * The console for those who use it without a mouse, in several windows and for a long time: keys,
 * the focus, sessions that end, texts that are not saved, types and events that come meanwhile.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class ConsoleUsabilityIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String EVENTS = "/api/v1/namespaces/default/events";
  private static final String CLUSTER_ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
  private static final String TABLE = "/console/list/core/v1/configmaps/default";

  /** What has the focus, and whether that is seen. */
  private static final String FOCUS =
      """
      (() => {
        const element = document.activeElement;
        if (!element || element === document.body || !element.closest('main')) return null;
        const style = getComputedStyle(element.matches('.codemirror') ? element.shadowRoot.activeElement : element);
        const box = element.getBoundingClientRect();
        const seen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
        const marked = element.matches('.codemirror') || style.outlineStyle !== 'none';
        return `${seen && marked ? 'seen' : 'unseen'} ${element.tagName} ${element.id} ${element.className} ${element.textContent.slice(0, 30)}`;
      })()""";

  /** More than any view has. */
  private static final int MOST_STOPS = 150;

  private KeelsonProcess server;
  private RestClient other;
  private Browser browser;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens = ConsoleUsers.tokens(directory);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--token-auth-file=" + tokens,
                "--authorization-mode=RBAC",
                "--audit-trail=sqlite:" + directory.resolve("trail.db"),
                KeelsonProcess.FEW_CONTROLLERS));
    other = RestClient.administrator(server);
    browser = Browser.start(server.address());
  }

  @AfterAll
  void stop() {
    browser.close();
    server.close();
  }

  @BeforeEach
  void signedInAsAnn() {
    browser.open("/console/");
    browser.run("sessionStorage.clear(); localStorage.clear()");
    browser.forgetCookies();
    browser.open("/console/");
    browser.signIn("root");
  }

  @AfterEach
  void assertQuiet() {
    browser.assertQuiet();
  }

  @Test
  void skipLink_leadsToTheContent() {
    browser.open(TABLE);
    browser.find("[data-state=live]");
    browser.press(Keys.TAB);
    browser.await("document.activeElement.matches('.skip')");
    browser.press(Keys.ENTER);

    browser.await("document.activeElement.id === 'content'");
    browser.press(Keys.TAB);
    assertThat(browser.evaluate("!!document.activeElement.closest('main')")).isEqualTo(true);
    browser.find("h1", "ConfigMap");
  }

  @Test
  void tabKey_leadsThroughEveryViewAndOutOfIt_withAFocusThatIsSeen() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("stops", Map.of("a", "b")));
    String object = "/console/object/core/v1/configmaps/default/stops";
    Map<String, String> views =
        Map.ofEntries(
            Map.entry("/console/", ".counts a"),
            Map.entry(TABLE, "[data-state=live]"),
            Map.entry(TABLE + "?at=newest", ".slider .hint"),
            Map.entry(object, ".panes"),
            Map.entry(object + "?tab=yaml", ".yaml"),
            Map.entry(object + "?tab=owners", ".line[data-owner]"),
            Map.entry(object + "?tab=history", ".slider"),
            Map.entry(object + "?tab=edit", ".codemirror"),
            Map.entry("/console/create/core/v1/configmaps/default", ".codemirror"),
            Map.entry("/console/access?tab=who", "input[name=verb]"),
            Map.entry("/console/access?tab=what", "input[name=subject]"),
            Map.entry("/console/access?tab=as", "input[name=group]"),
            Map.entry("/console/audit?verb=create", ".events td"),
            Map.entry("/console/changes", "input[name=from]"));
    views.forEach(
        (path, ready) -> {
          browser.open(path);
          browser.find(ready);
          browser.run("document.getElementById('content').focus()");
          Set<String> stops = new HashSet<>();
          int count = 0;
          browser.press(Keys.TAB);
          for (Object at = browser.evaluate(FOCUS); at != null; at = browser.evaluate(FOCUS)) {
            assertThat(at).as(path).asString().startsWith("seen");
            boolean unused = stops.add(at.toString());
            assertThat(++count).as("stops of %s: %s", path, stops).isLessThan(MOST_STOPS);
            // in the editor Tab indents
            if (at.toString().contains(" codemirror")) {
              browser.press(Keys.ESCAPE);
            }
            browser.press(Keys.TAB);
          }
          assertThat(stops).as(path).isNotEmpty();
        });
  }

  @Test
  void keysOfOneCharacter_areListedByAButton_andCanBeTurnedOff() {
    browser.open(TABLE);
    browser.find("[data-state=live]");
    browser.click("button", "Keyboard");
    browser.awaitText("leave the editor, where Tab indents");
    browser.click("input[name=shortcuts]");
    browser.click("dialog button", "Close");
    browser.awaitGone("dialog");

    browser.press("o");
    browser.press("/");
    assertThat(browser.evaluate("location.pathname")).isEqualTo(TABLE);
    assertThat(browser.evaluate("document.activeElement.name ?? ''")).isEqualTo("");

    browser.click("button", "Keyboard");
    browser.click("input[name=shortcuts]");
    browser.click("dialog button", "Close");
    browser.awaitGone("dialog");
    browser.press("o");
    browser.find(".overview");
  }

  @Test
  void anotherView_hasATitleOfItsOwn_andTheFocus() {
    browser.click(".types a", "ConfigMap");
    browser.await("document.title === 'ConfigMap · Keelson'");
    browser.await("document.activeElement.id === 'content'");

    browser.click(".types a", "Access");
    browser.await("document.title === 'Access · Keelson'");
    browser.await("document.activeElement.id === 'content'");
  }

  @Test
  void textThatIsNotSaved_isAskedForBeforeItIsLeft() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("kept", Map.of("colour", "red")));
    browser.open(TABLE);
    browser.click(".rows a", "kept");
    browser.click("[role=tab]", "Edit");
    browser.awaitEditor();
    browser.click("[role=tab]", "YAML");
    browser.find(".yaml");
    browser.click("[role=tab]", "Edit");
    browser.replaceInEditor("colour: red", "colour: blue");

    browser.click("[role=tab]", "YAML");
    assertThat(browser.answer(false)).contains("not saved");
    browser.back();
    assertThat(browser.answer(false)).contains("not saved");
    browser.await("location.search === '?tab=edit'");
    assertThat(browser.editorText()).contains("colour: blue");

    browser.click("button", "Review changes");
    browser.click("button", "Update");
    browser.find(".yaml");
    browser.click("[role=tab]", "Edit");
    browser.replaceInEditor("colour: blue", "colour: green");
    browser.click(".types a", "Secret");
    browser.answer(true);
    browser.find("h1", "Secret");
  }

  /** Browsers drop the cookies of a session at its end. */
  @Test
  void endedSession_isSaid_andTheEditedTextIsKeptForTheSameUser() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("long", Map.of("colour", "red")));
    browser.open("/console/object/core/v1/configmaps/default/long?tab=edit");
    browser.replaceInEditor("colour: red", "colour: blue");
    browser.forgetCookies();

    browser.click("button", "Review changes");
    browser.awaitText("Your session has ended");
    assertThat(browser.text()).doesNotContain("colour: blue");
    browser.signIn("root");
    assertThat(browser.editorText()).contains("colour: blue");
    browser.click("button", "Back");
    browser.click("button", "Review changes");
    browser.find(".diff .added", "+   colour: blue");

    browser.forgetCookies();
    browser.click("button", "Update");
    browser.awaitText("Your session has ended");
    browser.signIn("little");
    browser.find(".user", "bob");
    browser.awaitText("User \"bob\" cannot get");
    assertThat(browser.count(".codemirror, .diff")).isZero();
  }

  @Test
  void endedSession_withoutAText_asksForASignIn() {
    browser.open(TABLE);
    browser.find("[data-state=live]");
    browser.forgetCookies();

    browser.click(".types a", "Secret");

    browser.find("input[name=token]");
    assertThat(browser.text()).doesNotContain("anonymous");
    browser.signIn("root");
    browser.find("h1", "Secret");
  }

  @Test
  void windows_shareTheSession() {
    String first = browser.window();
    browser.open(TABLE);
    browser.find("[data-state=live]");
    browser.openWindow("/console/");
    browser.find(".user", "ann");
    String second = browser.window();
    try {
      browser.click("button", "Sign out");
      browser.find("input[name=token]");
      browser.show(first);
      browser.find("input[name=token]");
      assertThat(browser.text()).doesNotContain("kube-root-ca.crt");
      Eventually.assertEventually(() -> assertThat(browser.count(".rows")).isZero());

      browser.show(second);
      browser.signIn("little");
      browser.show(first);
      browser.find(".user", "bob");
      browser.awaitText("User \"bob\" cannot list");
    } finally {
      browser.show(second);
      browser.closeWindow(first);
    }
  }

  @Test
  void viewOfAnother_withoutTheRightToIt_isRefusedAndCanBeLeft() {
    browser.forgetCookies();
    browser.open("/console/access?tab=as");
    browser.signIn("little");
    browser.type("input[name=user]", "ann");
    browser.click("button", "See it as this user");

    browser.awaitText("User \"bob\" cannot impersonate");
    browser.click("button", "Be yourself again");
    browser.find(".user", "bob");
  }

  /** With a certificate there is no session: the browser is the user. */
  @Test
  void certificateOfTheBrowser_opensThePageSignedIn() {
    try (CertificateProxy proxy = CertificateProxy.of(server.kubeconfig());
        Browser page = Browser.start(proxy.address())) {
      page.open(TABLE);

      page.find("[data-state=live]");
      page.awaitText("by certificate");
      assertThat(page.text()).doesNotContain("Sign out");
      other.post(CONFIG_MAPS, ConsoleUsers.configMap("seen-by-certificate", Map.of()));
      page.find(".rows a", "seen-by-certificate");
      page.assertQuiet();
    }
  }

  /** Names of roles may have every character but a slash and a percent sign. */
  @Test
  void hostileNames_areShownAsTheyAre_andLeadToTheirObjects() {
    String script = "<img src=x onerror=document.title='owned'>";
    for (String name : List.of(script, "a,b=c\\d?e#f&g", "nimda\u202exyz", "ad\u200bmin", "- x")) {
      other.post(
          CLUSTER_ROLES,
          Map.of(
              "metadata", Map.of("name", name),
              "rules",
                  List.of(
                      Map.of(
                          "apiGroups", List.of(""),
                          "resources", List.of("pods\u202e", script),
                          "verbs", List.of("get\u2066")))));
      browser.open("/console/list/rbac.authorization.k8s.io/v1/clusterroles");
      String shown = name.replace("\u202e", "\\u202e").replace("\u200b", "\\u200b");
      browser.find("[data-state=live]");
      browser.click(".rows a", shown);
      browser.find("h1", shown);
      // an object whose watch is refused would say so
      other
          .request()
          .contentType("application/merge-patch+json")
          .body("{\"metadata\":{\"annotations\":{\"note\":\"changed meanwhile\"}}}")
          .patch(CLUSTER_ROLES + "/{name}", name);
      browser.awaitText("changed meanwhile");
      assertThat(browser.count("[role=alert]")).as(shown).isZero();
      assertThat(browser.title()).isEqualTo(shown + " · ClusterRole · Keelson");
    }
    other.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        Map.of(
            "metadata", Map.of("name", "hostile\u202e"),
            "roleRef",
                Map.of(
                    "apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", script),
            "subjects", List.of(Map.of("kind", "User", "name", "eve\u202e" + script))));
    browser.open(
        "/console/access?tab=what&subject="
            + "eve%E2%80%AE%3Cimg%20src=x%20onerror=document.title='owned'%3E");
    browser.awaitText("get\\u2066");
    assertThat(browser.text()).contains("hostile\\u202e").doesNotContain("\u202e", "\u2066");
    assertThat(browser.title()).doesNotContain("owned");
    assertThat(browser.count("#app img, #app script")).isZero();
  }

  @Test
  void events_ofAnObject_areLive_andThoseOfAnEarlierOneApart() {
    String first =
        other.post(CONFIG_MAPS, ConsoleUsers.configMap("twice", Map.of())).path("metadata.uid");
    event("twice.1", "twice", first, "Left", "of the first");
    other.delete(CONFIG_MAPS + "/twice");
    String second =
        other.post(CONFIG_MAPS, ConsoleUsers.configMap("twice", Map.of())).path("metadata.uid");
    event("twice.2", "twice", second, "Made", "of the second");
    event("twice.3", "twice", "twice", "Named", "by a kubelet");
    event("other.1", "other", first, "Other", "of another name");
    browser.open("/console/object/core/v1/configmaps/default/twice");

    browser.awaitText("of the second");
    browser.awaitText("by a kubelet");
    assertThat(browser.text()).doesNotContain("of the first", "of another name");
    browser.click("summary", "1 of an earlier ConfigMap of this name");
    browser.awaitText("of the first");

    event("twice.4", "twice", second, "Late", "while it is shown");
    browser.awaitText("while it is shown");
    other.delete(EVENTS + "/twice.4");
    browser.await("!document.body.textContent.includes('while it is shown')");
  }

  private void event(String name, String about, String uid, String reason, String message) {
    assertThat(
            other
                .post(
                    EVENTS,
                    Map.of(
                        "metadata",
                        Map.of("name", name),
                        "involvedObject",
                        Map.of(
                            "apiVersion", "v1",
                            "kind", "ConfigMap",
                            "name", about,
                            "namespace", "default",
                            "uid", uid),
                        "reason",
                        reason,
                        "message",
                        message,
                        "type",
                        "Normal"))
                .statusCode())
        .isEqualTo(201);
  }

  @Test
  void typeThatCameMeanwhile_isShown() {
    browser.find(".counts a", "ConfigMap");
    other.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kites());
    Eventually.assertEventually(
        () -> assertThat(other.get("/apis/example.org/v1/kites").statusCode()).isEqualTo(200));

    browser.run(
        "history.pushState(null, '', '/console/list/example.org/v1/kites');"
            + " dispatchEvent(new PopStateEvent('popstate'))");

    browser.find("h1", "Kite");
    browser.find(".types a", "Kite");
    browser.awaitText("There is none.");
  }

  private static Map<String, Object> kites() {
    return Map.of(
        "apiVersion",
        "apiextensions.k8s.io/v1",
        "kind",
        "CustomResourceDefinition",
        "metadata",
        Map.of("name", "kites.example.org"),
        "spec",
        Map.of(
            "group",
            "example.org",
            "scope",
            "Namespaced",
            "names",
            Map.of("plural", "kites", "singular", "kite", "kind", "Kite", "listKind", "KiteList"),
            "versions",
            List.of(
                Map.of(
                    "name",
                    "v1",
                    "served",
                    true,
                    "storage",
                    true,
                    "schema",
                    Map.of("openAPIV3Schema", Map.of("type", "object"))))));
  }
}
