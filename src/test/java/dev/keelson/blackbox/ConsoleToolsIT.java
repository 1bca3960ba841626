package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import dev.keelson.testing.Accessibility;
import dev.keelson.testing.Browser;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.FaultProxy;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.support.ui.Select;

/**
 * The views of the console that are of no single object, its editor's help, and how usable its
 * pages are; ConsoleIT has tables and objects. With {@code -Dkeelson.screenshots=FOLDER} the views
 * are kept as pictures.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class ConsoleToolsIT {

  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
  private static final String TABLE = "/console/list/core/v1/configmaps/default";
  private static final String MERGE = "application/merge-patch+json";

  /** Scrolls a table and gives the deciles of the times of 60 frames, in milliseconds. */
  private static final String SCROLL =
      """
      new Promise(done => {
        const rows = document.querySelector('.rows'); const times = []; let last = performance.now();
        const step = (now) => { times.push(now - last); last = now; rows.scrollTop += 20000;
          times.length < 60 ? requestAnimationFrame(step)
            : done(times.sort((a, b) => a - b).map(Math.round).filter((_, i) => i % 10 === 9).join(' ')); };
        requestAnimationFrame(step);
      })""";

  /** Whether a write of a part of the server is shown. */
  private static final String SYSTEM_WRITES =
      "[...document.querySelectorAll('.events .who')].some(each =>"
          + " each.textContent.startsWith('system:'))";

  /** Clients that change pods while a table of them is shown. */
  private static final int WRITERS = 4;

  /** The requests at a time that create what a test needs. */
  private static final int AT_ONCE = 16;

  /** What was measured, for {@code target/console.txt}. */
  private final List<String> figures = new ArrayList<>();

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
                "--simulated-nodes=3",
                "--audit-trail=sqlite:" + directory.resolve("trail.db")));
    other = RestClient.administrator(server);
    ConsoleUsers.allowReading(other, "default", "developers", "Group", "dev");
    other.post(DEPLOYMENTS, deployment("web"));
    browser = Browser.start(server.address());
    browser.open("/console/");
    browser.signIn("root");
  }

  @AfterAll
  void stop() throws IOException {
    Path unused = Files.write(Path.of("target", "console.txt"), figures);
    browser.close();
    server.close();
  }

  private void figure(String name, String value) {
    figures.add(name + " " + value);
  }

  @BeforeEach
  void usual() {
    browser.resize(1280, 800);
    browser.prefer("prefers-color-scheme", "light");
  }

  @AfterEach
  void assertQuiet() {
    browser.assertQuiet();
  }

  @Test
  void whoCan_showsSubjectsWithTheirBindingAndRole() {
    browser.open("/console/access?verb=list&resource=configmaps&namespace=default");

    browser.awaitText("Group dev");
    browser.find(".grants a", "developers");
    browser.find(".grants a", "reader");
    assertThat(browser.text()).contains("system:masters").contains("cluster-admin");
    picture("access");

    browser.type("input[name=verb]", "delete");
    browser.awaitGone(".grants a[href$='/developers']");
  }

  @Test
  void whatCan_showsTheRulesOfAUser_andTheServersOwnAnswer() {
    browser.open("/console/access?tab=what&subject=bob&groups=dev&namespace=default");
    browser.find(".grants a", "developers");
    browser.awaitText("get, list, watch configmaps");

    browser.type("input[name=check-verb]", "list");
    browser.type("input[name=check-resource]", "configmaps");
    browser.click(".check button");
    browser.awaitText("Allowed: RBAC");
    browser.type("input[name=check-resource]", "secrets");
    browser.click(".check button");
    browser.awaitText("Not allowed");
  }

  @Test
  void ownRights_areThoseOfTheServersReview() {
    browser.open("/console/access?tab=own");

    browser.awaitText("* *.*");
  }

  @Test
  void impersonatedView_hasTheRightsOfTheOther_andSaysSo() {
    browser.open("/console/access?tab=as");
    browser.type("input[name=user]", "bob");
    browser.type("input[name=group]", "dev");
    browser.click("button", "See it as this user");
    browser.awaitText("You see the console as bob");

    browser.open("/console/list/core/v1/secrets/default");
    browser.awaitText("User \"bob\" cannot list");
    browser.find(".acting");
    browser.open(TABLE);
    browser.find(".rows a", "kube-root-ca.crt");
    picture("impersonated");
    browser.click("button", "Be yourself again");
    browser.awaitGone(".acting");
    browser.open("/console/list/core/v1/secrets/default");
    browser.find("[data-state=live]");
  }

  @Test
  void audit_findsWhoDidWhat_andFollowsNewEvents() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("audited", Map.of("a", "b")));
    browser.open("/console/audit?resource=configmaps&name=audited&live=1");

    browser.find(".events a", "configmaps default audited");
    browser.find(".state.live");
    browser.find(".timeline rect.written");
    other.delete(CONFIG_MAPS + "/audited");
    browser.find(".events td", "delete");
    picture("audit");
  }

  /** The page must not draw all its rows again for each of thousands of events. */
  @Test
  void audit_ofManyNewEvents_isDrawnNowAndThen() {
    browser.open("/console/audit?resource=configmaps&name=many-times&live=1");
    browser.find(".state.live");
    browser.awaitText("No event matches.");
    browser.run(
        """
        window.drawn = 0; window.begun = performance.now();
        new MutationObserver(() => window.drawn++).observe(document.querySelector('.events tbody'), {childList: true});
        """);
    for (int i = 0; i < 150; i++) {
      other.get(CONFIG_MAPS + "/many-times");
    }
    browser.await("document.querySelectorAll('.events tbody tr').length === 150");

    assertThat(browser.evaluate("drawn <= (performance.now() - begun) / 250 + 1"))
        .as("%s drawings", browser.evaluate("drawn"))
        .isEqualTo(true);
  }

  /** What somebody asked for may be long. */
  @Test
  void audit_ofALongPath_showsTheOutcomeBesideIt() {
    other.get("/" + "far".repeat(300));
    browser.open("/console/audit?code=404&text=farfar");

    browser.awaitText("farfar");
    assertThat(
            browser.evaluate(
                "document.querySelector('.events').scrollWidth"
                    + " <= document.documentElement.clientWidth"))
        .isEqualTo(true);
  }

  @Test
  void audit_followsAgain_afterItsWatchWasCut() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("cut", Map.of("a", "b")));
    try (FaultProxy network = FaultProxy.to(server.address().getPort());
        Browser page = Browser.start(network.endpoint("https"))) {
      page.open("/console/audit?resource=configmaps&name=cut&live=1");
      page.type("input[name=token]", "root");
      page.click("button", "Sign in");
      page.find(".events a", "configmaps default cut");
      page.find(".state.live");

      network.refuse();
      network.cut();
      page.find(".state", "reconnecting");
      other.delete(CONFIG_MAPS + "/cut");
      network.admit();

      page.find(".events td", "delete");
      page.find(".state.live");
      assertThat(page.count(".error")).isZero();
    }
  }

  @Test
  void history_isWalkedThrough_compared_andRestored() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("storied", Map.of("colour", "red")));
    patch(CONFIG_MAPS + "/storied", "{\"data\":{\"colour\":\"blue\"}}");
    patch(CONFIG_MAPS + "/storied", "{\"data\":{\"colour\":\"green\"}}");
    browser.open("/console/object/core/v1/configmaps/default/storied?tab=history");
    browser.awaitText("3 of 3");
    browser.find(".diff .removed", "-   colour: blue");
    browser.find(".diff .added", "+   colour: green");
    picture("history");

    browser.find("input[name=revision]").sendKeys(Keys.HOME);
    browser.awaitText("1 of 3");
    browser.find(".diff .added", "+   colour: red");
    assertThat(browser.evaluate("location.search")).asString().contains("revision=");
    browser.click("button", "Restore this revision");
    browser.find(".diff .added", "+   colour: red");
    browser.find(".diff .removed", "-   colour: green");
    browser.click("button.primary:not(:disabled)");
    browser.find(".yaml");
    assertThat(other.get(CONFIG_MAPS + "/storied").<String>path("data.colour")).isEqualTo("red");

    other.delete(CONFIG_MAPS + "/storied");
    browser.open("/console/object/core/v1/configmaps/default/storied");
    browser.awaitText("removed");
    browser.click("button", "Earlier");
    browser.click("button", "Restore this revision");
    browser.click("button.primary:not(:disabled)");
    Eventually.assertEventually(
        () -> assertThat(other.get(CONFIG_MAPS + "/storied").statusCode()).isEqualTo(200));
  }

  @Test
  void table_isShownAsItWas() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("gone", Map.of()));
    String revision = other.get(CONFIG_MAPS).path("metadata.resourceVersion");
    other.delete(CONFIG_MAPS + "/gone");
    browser.open(TABLE);
    browser.find("[data-state=live]");
    assertThat(browser.count(".rows a[href$='/gone']")).isZero();

    browser.click("button", "Look back");
    browser.awaitText("of the store can be read");
    browser.open(TABLE + "?at=" + revision);
    browser.find(".rows a", "gone");
    browser.find("[data-state=past]");
    picture("look-back");
    browser.click("button", "Now");
    browser.find("[data-state=live]");
    browser.awaitGone(".rows a.name[href*='/gone']");
  }

  @Test
  void changesOfANamespace_areThoseOfTheTime() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("changed", Map.of("a", "b")));
    browser.open("/console/changes?namespace=default&from=2020-01-01T00:00&until=2090-01-01T00:00");
    browser.awaitText("From the audit trail");

    browser.click("button", "Show changes");

    browser.find(".events a", "configmaps default changed");
    assertThat(
            browser.evaluate(
                "document.querySelector('.changes').scrollWidth"
                    + " <= document.querySelector('.changes').clientWidth"))
        .isEqualTo(true);
    picture("changes");
  }

  @Test
  void create_beginsWithATemplate_andIsTriedFirst() {
    browser.open("/console/create/apps/v1/deployments/default");
    replaceInEditor("name: example\n  namespace", "name: made\n  namespace");
    browser.click("button", "Review");
    browser.find(".diff .added", "+   name: made");
    assertThat(other.get(DEPLOYMENTS + "/made").statusCode()).isEqualTo(404);

    browser.click("button", "Create");
    browser.find("h1", "made");
    assertThat(other.get(DEPLOYMENTS + "/made").statusCode()).isEqualTo(200);
  }

  /**
   * Every type that can be created has a template that the server takes, or says what is missing.
   */
  @Test
  void templates_haveEveryRequiredField() {
    for (String type :
        List.of(
            "core/v1/configmaps",
            "core/v1/services",
            "batch/v1/cronjobs",
            "networking.k8s.io/v1/ingresses",
            "policy/v1/poddisruptionbudgets")) {
      browser.open("/console/create/" + type + "/default");
      browser.awaitEditor();
      browser.click("button", "Review");
      browser.find(".diff .added");
    }
  }

  @Test
  void editor_explainsAFieldUnderTheMouse() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("hovered", Map.of("k", "v")));
    browser.open("/console/object/core/v1/configmaps/default/hovered?tab=edit");

    browser.hoverInEditor("metadata:");

    browser.await(
        "document.querySelector('.codemirror').shadowRoot.querySelector('.explanation strong')"
            + "?.textContent.startsWith('metadata <')");
    assertThat(
            browser.evaluate(
                "document.querySelector('.codemirror').shadowRoot"
                    + ".querySelector('.explanation p').textContent"))
        .asString()
        .contains("Standard object metadata");
  }

  @Test
  void editor_completesACustomResource_byTheSchemaOfItsDefinition() {
    other.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boats());
    String boats = "/apis/example.com/v1/namespaces/default/boats";
    Eventually.assertEventually(() -> assertThat(other.get(boats).statusCode()).isEqualTo(200));
    other.post(
        boats,
        Map.of(
            "apiVersion",
            "example.com/v1",
            "kind",
            "Boat",
            "metadata",
            Map.of("name", "anna"),
            "spec",
            Map.of("sails", 2)));
    browser.open("/console/object/example.com/v1/boats/default/anna?tab=edit");

    browser.hoverInEditor("sails:");
    browser.await(
        "document.querySelector('.codemirror').shadowRoot.querySelector('.explanation p')"
            + "?.textContent === 'How many sails it carries.'");
    browser.replaceInEditor("  sails: 2", "  sails: 2\n  ");
    browser.run(
        "const content ="
            + " document.querySelector('.codemirror').shadowRoot.querySelector('.cm-content');"
            + "const view = content.cmTile.view;"
            + "const at = view.state.doc.toString().indexOf('sails: 2') + 'sails: 2\\n  '.length;"
            + "view.dispatch({ selection: { anchor: at } }); view.focus();");
    browser.press(Keys.chord(Keys.CONTROL, " "));
    browser.await(
        "document.querySelector('.codemirror').shadowRoot"
            + ".querySelector('.cm-tooltip-autocomplete')?.textContent.includes('flag')");
  }

  private static String boats() {
    String schema =
        "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{"
            + "'type':'object','properties':{"
            + "'sails':{'type':'integer','description':'How many sails it carries.'},"
            + "'flag':{'type':'string'}}}}}}";
    return CustomTypes.definition("example.com", "boats", "Boat", "Namespaced", schema)
        .replace('\'', '"');
  }

  @Test
  void editor_completesAndExplainsFields() {
    browser.open("/console/create/apps/v1/deployments/default");
    replaceInEditor("  replicas: 1\n", "  replicas: 1\n  min\n");
    browser.run(
        "const view = document.querySelector('.codemirror').shadowRoot.querySelector('.cm-content').cmTile.view;"
            + "view.dispatch({selection: {anchor: view.state.doc.toString().indexOf('  min\\n') + 5}}); view.focus();");
    browser.press("R");
    browser.await(
        "document.querySelector('.codemirror').shadowRoot.querySelector('.cm-tooltip-autocomplete')?.textContent.includes('minReadySeconds')");
    picture("completion");
    // the editor takes a key that comes sooner for one that was meant for the text
    browser.await("performance.now() - (window.shownAt ??= performance.now()) > 100");
    browser.press(Keys.ENTER);
    browser.await(
        "document.querySelector('.codemirror').shadowRoot.querySelector('.cm-content').textContent.includes('minReadySeconds: ')");
  }

  @Test
  void rollout_goesBackToARevision() {
    other.post(DEPLOYMENTS, deployment("rolled"));
    patch(
        DEPLOYMENTS + "/rolled",
        "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"example/second\"}]}}}}");
    browser.open("/console/object/apps/v1/deployments/default/rolled");
    Eventually.assertEventually(
        () ->
            assertThat(
                    other
                        .get(
                            "/apis/apps/v1/namespaces/default/replicasets?labelSelector=app=rolled")
                        .<List<Object>>path("items"))
                .hasSize(2));

    browser.click(".actions button", "Rollout");
    browser.click("dialog button", "Undo to 1");
    browser.find(".diff .removed", "-         image: example/second");
    // what controllers change meanwhile is not of this write
    assertThat(browser.find(".diff").getText()).doesNotContain("Replicas:");
    picture("rollout");
    browser.click("dialog button", "Back to revision 1");
    browser.awaitGone("dialog");
    assertThat(
            other
                .get(DEPLOYMENTS + "/rolled")
                .<String>path("spec.template.spec.containers[0].image"))
        .isEqualTo("example/first");

    browser.click(".actions button", "Rollout");
    browser.click("dialog button", "Pause");
    browser.click("dialog button.primary:not(:disabled)");
    browser.awaitGone("dialog");
    assertThat(other.get(DEPLOYMENTS + "/rolled").<Boolean>path("spec.paused")).isTrue();
    browser.click(".actions button", "Rollout");
    browser.click("dialog button", "Resume");
    browser.click("dialog button.primary:not(:disabled)");
    browser.awaitGone("dialog");
    assertThat(other.get(DEPLOYMENTS + "/rolled").<Boolean>path("spec.paused")).isNotEqualTo(true);
  }

  @Test
  void columns_areChosen_andInTheAddress() {
    browser.open("/console/list/core/v1/pods/default");
    browser.find("[data-state=live]");
    browser.click("summary", "Columns");
    browser.click(".choice-of-columns label", "Node");

    browser.find(".rows th", "Node");
    assertThat(browser.evaluate("location.search"))
        .asString()
        .contains("columns=")
        .contains("Node");
    browser.press(Keys.ESCAPE);
    browser.awaitGone(".choice-of-columns[open]");
    browser.resize(400, 800);
    browser.click("summary", "Columns");
    assertThat(
            browser.evaluate(
                "(() => { const box = document.querySelector('.choice-of-columns ul')"
                    + ".getBoundingClientRect();"
                    + " return box.left >= 0 && box.right <= innerWidth; })()"))
        .isEqualTo(true);
  }

  /** By the pattern of WAI-ARIA: one stop of the Tab key, then arrow keys. */
  @Test
  void tabs_areChosenByArrowKeys() {
    browser.open("/console/access");
    browser.click("[role=tab]", "Who can do this");
    browser.press(Keys.ARROW_LEFT);
    browser.await("document.activeElement.id === 'tab-as'");
    browser.press(Keys.ARROW_LEFT);
    browser.await("document.activeElement.id === 'tab-own'");
    browser.press(Keys.HOME);
    browser.press(Keys.ARROW_RIGHT);
    browser.await("document.activeElement.id === 'tab-what'");
    assertThat(browser.evaluate("location.search")).asString().doesNotContain("tab=what");

    browser.press(Keys.ENTER);
    browser.find("[role=tabpanel][aria-labelledby=tab-what] input[name=subject]");
    assertThat(browser.evaluate("document.activeElement.id")).isEqualTo("tab-what");
    assertThat(browser.count("[role=tab][tabindex='0']")).isEqualTo(1);
    assertThat(browser.evaluate("document.querySelector('[role=tab][tabindex=\"0\"]').id"))
        .isEqualTo("tab-what");
  }

  @Test
  void keys_moveAboutAndAreExplained() {
    browser.open(TABLE);
    browser.find(".rows a", "kube-root-ca.crt");
    browser.press("?");
    browser.awaitText("the next and the previous row");
    browser.press(Keys.ESCAPE);
    browser.awaitGone("dialog");
    browser.press("/");
    browser.await("document.activeElement.name === 'q'");
    browser.press(Keys.ESCAPE);
    browser.press("j");
    browser.await("document.activeElement.classList.contains('name')");
    browser.press(Keys.ENTER);
    browser.find("[role=tab]");
    browser.press("o");
    browser.find(".overview");
  }

  /** Every view in both colour schemes, and narrow. */
  @Test
  void views_followTheRulesOfAccessibility() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("seen", Map.of("a", "b")));
    patch(CONFIG_MAPS + "/seen", "{\"data\":{\"a\":\"c\"}}");
    String web = "/console/object/apps/v1/deployments/default/web";
    Map<String, String> views =
        Map.ofEntries(
            Map.entry("/console/", ".counts a"),
            Map.entry("/console/list/core/v1/pods", "[data-state=live]"),
            Map.entry(TABLE + "?at=newest", ".slider .hint"),
            Map.entry(web, ".dependents a"),
            Map.entry(web + "?tab=yaml", ".yaml"),
            Map.entry(web + "?tab=owners", ".line[data-owner]"),
            Map.entry(web + "?tab=history", ".slider"),
            Map.entry(web + "?tab=edit", ".codemirror"),
            Map.entry("/console/create/core/v1/configmaps/default", ".codemirror"),
            Map.entry("/console/access?verb=list&resource=configmaps", ".grants td"),
            Map.entry("/console/access?tab=what&subject=bob&groups=dev", ".grants td"),
            Map.entry("/console/access?tab=own", ".rules li"),
            Map.entry("/console/access?tab=as", "input[name=group]"),
            Map.entry("/console/audit", ".events td"),
            Map.entry("/console/changes", "h1"),
            Map.entry("/console/nowhere", ".empty"));
    views.forEach(
        (path, ready) -> {
          browser.open(path);
          browser.find(ready);
          for (String theme : List.of("light", "dark")) {
            browser.prefer("prefers-color-scheme", theme);
            Accessibility.assertClean(browser, path + " " + theme);
          }
          browser.resize(400, 800);
          assertThat(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"))
              .as("%s at 400 pixels", path)
              .isEqualTo(true);
          assertThat(browser.evaluate("document.documentElement.scrollHeight <= innerHeight"))
              .as("only the parts of %s scroll", path)
              .isEqualTo(true);
          browser.resize(1280, 800);
        });
  }

  /**
   * 50,000 rows as a server would send them in chunks, made in the page: what is tested is the
   * page. The times depend on the machine and are reported only.
   */
  @Test
  void hugeTable_drawsWhatIsSeen() {
    browser.open("/console/");
    browser.find(".overview");
    browser.run(
        """
        const real = window.fetch;
        const row = (i) => ({cells: ['pod-' + String(i).padStart(5, '0'), '1/1', i === 30000 ? 'CrashLoopBackOff' : 'Running', i % 7, '5m'], object: {metadata: {
          name: 'pod-' + String(i).padStart(5, '0'), namespace: 'huge', uid: 'u' + i, creationTimestamp: '2026-01-01T00:00:00Z',
          labels: {app: 'app-' + i % 100}, managedFields: [{manager: 'm', time: '2026-01-01T00:00:00Z', fieldsV1: {}}]}}});
        const names = ['Name', 'Ready', 'Status', 'Restarts', 'Age'];
        window.fetch = (path, call) => {
          const url = new URL(path, location.href);
          if (!url.pathname.endsWith('/namespaces/huge/pods')) return real(path, call);
          if (url.searchParams.get('watch')) return new Promise((_, refuse) => call.signal.addEventListener('abort', () => refuse(new DOMException('', 'AbortError'))));
          const from = Number(url.searchParams.get('continue') ?? 0);
          const limit = Math.min(Number(url.searchParams.get('limit')), 50000 - from);
          return Promise.resolve(new Response(JSON.stringify({
            metadata: {resourceVersion: '9', continue: from + limit < 50000 ? String(from + limit) : undefined, remainingItemCount: 50000 - from - limit},
            columnDefinitions: names.map(name => ({name, type: name === 'Restarts' ? 'integer' : 'string', priority: 0})),
            rows: Array.from({length: limit}, (_, i) => row(from + i))})));
        };
        window.begun = performance.now();
        history.pushState(null, '', '/console/list/core/v1/pods/huge');
        dispatchEvent(new PopStateEvent('popstate'));
        """);
    browser.awaitText("50,000 objects");
    browser.find("[data-state=live]");
    figure(
        "milliseconds-to-50000-rows",
        String.valueOf(browser.evaluate("Math.round(performance.now() - begun)")));

    Object frames = browser.evaluateLater(SCROLL);
    figure("milliseconds-of-frames-by-deciles-while-scrolling", String.valueOf(frames));
    figure("heap-bytes", String.valueOf(browser.evaluate("performance.memory?.usedJSHeapSize")));
    assertThat(browser.count(".rows tbody tr")).isBetween(10, 80);
    String widths =
        "[...document.querySelectorAll('.rows th')].map(each => each.offsetWidth).join()";
    Object atTheEnd = browser.evaluate(widths);
    browser.run("document.querySelector('.rows').scrollTop = 30 * 29990");
    browser.find(".rows td", "CrashLoopBackOff");
    assertThat(browser.evaluate(widths)).as("columns stay").isEqualTo(atTheEnd);
    browser.type("input[name=q]", "pod-4242");
    browser.awaitText("10 objects of 50,000 objects");
    browser.find(".rows a", "pod-42420");
  }

  /**
   * The same with stored pods while others change them: {@code -Dkeelson.console.pods=50000}, some
   * minutes.
   */
  @Test
  @EnabledIfSystemProperty(named = "keelson.console.pods", matches = "\\d+")
  @Timeout(1200)
  void hugeTable_ofStoredPods_isLive() throws Exception {
    int count = Integer.getInteger("keelson.console.pods");
    other.post("/api/v1/namespaces", Map.of("metadata", Map.of("name", "stored")));
    String pods = "/api/v1/namespaces/stored/pods";
    Eventually.assertEventually(
        () -> assertThat(other.post(pods, pod("first")).statusCode()).isEqualTo(201));
    try (HttpClient http =
        HttpClient.newBuilder().sslContext(server.kubeconfig().asNobody()).build()) {
      createPods(http, pods, count - 1);
      showPods(http, pods, count);
    }
  }

  private void createPods(HttpClient http, String pods, int count) throws InterruptedException {
    List<CompletableFuture<HttpResponse<String>>> created = new ArrayList<>();
    Semaphore places = new Semaphore(AT_ONCE);
    for (int i = 0; i < count; i++) {
      places.acquire();
      created.add(
          http.sendAsync(
                  request(pods).POST(json(pod("pod-%05d".formatted(i)))).build(),
                  BodyHandlers.ofString())
              .whenComplete((answer, error) -> places.release()));
    }
    assertThat(created).allMatch(each -> each.join().statusCode() == 201);
  }

  private void showPods(HttpClient http, String pods, int count) throws InterruptedException {
    browser.open("/console/");
    browser.find(".overview");
    Duration idle = server.cpuTime();
    Object loaded =
        browser.evaluateLater(
            """
            new Promise(done => {
              const begun = performance.now();
              const gaps = []; let last = begun; let first;
              history.pushState(null, '', '/console/list/core/v1/pods/stored');
              dispatchEvent(new PopStateEvent('popstate'));
              const look = (now) => {
                gaps.push(now - last); last = now;
                if (!first && document.querySelector('.rows tbody tr:not(.space)')) first = now - begun;
                document.querySelector('[data-state=live]')
                  ? done(`first ${Math.round(first)} all ${Math.round(now - begun)} longest frame ${Math.round(Math.max(...gaps))}`)
                  : requestAnimationFrame(look);
              };
              requestAnimationFrame(look);
            })""");
    figure("milliseconds-to-rows-of-" + count + "-stored-pods", String.valueOf(loaded));
    figure(
        "milliseconds-of-processor-time-of-the-server",
        String.valueOf(server.cpuTime().minus(idle).toMillis()));
    browser.awaitText("%,d objects".formatted(count));
    figure("heap-bytes", String.valueOf(browser.heapBytes()));

    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    Duration before = server.cpuTime();
    long begun = System.nanoTime();
    List<Thread> writers =
        IntStream.range(0, WRITERS)
            .mapToObj(
                writer ->
                    Thread.ofVirtual()
                        .start(
                            () -> {
                              for (int i = writer; !over.get(); i = (i + WRITERS) % (count - 1)) {
                                assertThat(label(http, pods + "/pod-%05d".formatted(i), "t" + i))
                                    .isEqualTo(200);
                                int unused = written.incrementAndGet();
                              }
                            }))
            .toList();
    try {
      figure("milliseconds-of-frames-while-pods-change", frames(""));
      browser.click(".rows th button", "Age");
      figure("milliseconds-of-frames-sorted-by-age", frames("[aria-sort=ascending]"));
      browser.click(".rows th button", "Status");
      figure("milliseconds-of-frames-sorted-by-status", frames("[aria-sort=ascending]"));
      figure(
          "milliseconds-of-a-sort-by-name-downwards",
          String.valueOf(browser.evaluateLater(clickAndDraw("Name", "[aria-sort=descending]"))));
      browser.type("input[name=q]", "app=stored 42");
      browser.awaitText(" of %,d objects".formatted(count));
      figure("milliseconds-of-frames-filtered", frames(""));
      browser.evaluate("document.querySelector('.rows').scrollTop = 1e9");
      browser.find(".rows tbody tr:last-child a");
    } finally {
      over.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    figure("writes-per-second-meanwhile", "%.0f".formatted(written.get() / seconds));
    figure(
        "milliseconds-of-processor-time-of-the-server-a-second",
        "%.0f".formatted(server.cpuTime().minus(before).toMillis() / seconds));
    figure("heap-bytes", String.valueOf(browser.heapBytes()));
    assertThat(watches("pods")).isEqualTo(1);

    assertThat(browser.count(".rows tbody tr")).isBetween(10, 80);
    other.post(pods, pod("pod-new"));
    browser.type("input[name=q]", "pod-new");
    browser.find(".rows a", "pod-new");
    assertThat(label(http, pods + "/pod-new", "very-last")).isEqualTo(200);
    browser.type("input[name=q]", "turn=very-last");
    browser.find(".rows a", "pod-new");
    other.delete(pods + "/pod-new?gracePeriodSeconds=0");
    browser.awaitText("No object matches the filter.");
    assertThat(watches("pods")).isEqualTo(1);
  }

  /** A page that is not shown any more must not load the server. */
  @Test
  void table_hasOneWatch_andNoneOnceItIsLeft() {
    browser.open("/console/list/core/v1/podtemplates/default");
    browser.find("[data-state=live]");
    Eventually.assertEventually(() -> assertThat(watches("podtemplates")).isEqualTo(1));

    browser.type("input[name=labels]", "app=x");
    browser.press(Keys.ENTER);
    browser.await("location.search.includes('app')");
    browser.find("[data-state=live]");
    Eventually.assertEventually(() -> assertThat(watches("podtemplates")).isEqualTo(1));
    browser.click(".types a", "Secret");
    browser.find("[data-state=live]");

    Eventually.assertEventually(() -> assertThat(watches("podtemplates")).isZero());
  }

  /** The watches of a type in a namespace that the server has, as its metrics say. */
  private int watches(String resource) {
    return other
        .request()
        .get("/metrics")
        .asString()
        .lines()
        .filter(line -> line.startsWith("apiserver_longrunning_requests{"))
        .filter(line -> line.contains("resource=\"" + resource + "\""))
        // simulated nodes watch the pods of the cluster
        .filter(line -> line.contains("scope=\"namespace\""))
        .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The deciles of the times of frames while a table scrolls, once it is as it should be. */
  private String frames(String ready) {
    browser.find(".rows th" + ready);
    return String.valueOf(browser.evaluateLater(SCROLL));
  }

  /** Clicks on a title until the table is sorted, and gives the time in milliseconds. */
  private static String clickAndDraw(String title, String ready) {
    return """
    new Promise(done => {
      const button = [...document.querySelectorAll('.rows th button')].find(each => each.textContent === '%s');
      let begun;
      const look = (now) => {
        if (document.querySelector('.rows th%s')) { done(Math.round(performance.now() - begun)); return; }
        begun = performance.now(); button.click(); requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    })"""
        .formatted(title, ready);
  }

  private int label(HttpClient http, String pod, String turn) {
    HttpRequest.BodyPublisher body =
        json(Map.of("metadata", Map.of("labels", Map.of("turn", turn))));
    HttpRequest patch = request(pod).setHeader("Content-Type", MERGE).method("PATCH", body).build();
    return http.sendAsync(patch, BodyHandlers.discarding()).join().statusCode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.address().resolve(path))
        .header("Authorization", "Bearer root")
        .header("Content-Type", "application/json");
  }

  private static HttpRequest.BodyPublisher json(Map<String, Object> object) {
    return HttpRequest.BodyPublishers.ofString(new Gson().toJson(object));
  }

  private static Map<String, Object> pod(String name) {
    return Map.of(
        "metadata", Map.of("name", name, "labels", Map.of("app", "stored")),
        "spec",
            Map.of(
                "schedulerName",
                "none",
                "containers",
                List.of(Map.of("name", "c", "image", "registry.example/app:1.0"))));
  }

  /** The time itself is judged by people: it depends on the machine. */
  @Test
  void firstPaint_isReported() {
    browser.open("/console/");
    browser.await("performance.getEntriesByName('first-contentful-paint').length");

    Object paint =
        browser.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
    Object bytes =
        browser.evaluate(
            "performance.getEntriesByType('resource').filter(e => e.name.includes('/assets/')).reduce((n, e) => n + e.encodedBodySize, 0)");

    figure("first-contentful-paint-milliseconds", String.valueOf(paint));
    figure("first-page-bytes", String.valueOf(bytes));
    assertThat(bytes).asInstanceOf(InstanceOfAssertFactories.LONG).isBetween(1000L, 100 * 1024L);
  }

  /** The trail has the writes of the controllers that make the pods of the deployment. */
  @Test
  void changesOfANamespace_canLeaveOutThoseOfTheSystem() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("by-a-person", Map.of("a", "b")));
    browser.open("/console/changes?from=2020-01-01T00:00&until=2090-01-01T00:00");
    browser.click("button", "Show changes");
    browser.find(".events a", "configmaps default by-a-person");
    browser.await(SYSTEM_WRITES);

    for (String by : List.of("people", "people and applications")) {
      choose("select[name=by]", by);
      browser.click("button", "Show changes");
      // the former list stays until the next one is there
      browser.await("document.querySelector('.events a') !== null && !(" + SYSTEM_WRITES + ")");
      browser.find(".events a", "configmaps default by-a-person");
    }
    assertThat(browser.evaluate("location.search")).asString().contains("by=apps");
  }

  private void choose(String css, String option) {
    new Select(browser.find(css)).selectByVisibleText(option);
  }

  /** By keys as by the mouse: one stop of the Tab key, arrows, Enter. */
  @Test
  void timeLine_isUsedByKeys() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("timed", Map.of()));
    for (int i = 0; i < 20; i++) {
      other.get(CONFIG_MAPS + "/timed");
    }
    other.delete(CONFIG_MAPS + "/timed");
    browser.open("/console/audit?resource=configmaps&name=timed");
    browser.find(".timeline g[role=button]");
    assertThat(browser.count(".timeline g[tabindex='0']")).isEqualTo(1);

    browser.run("document.querySelector('.timeline g[tabindex=\"0\"]').focus()");
    browser.press(Keys.END);
    browser.await("document.activeElement.matches('.timeline g:not([tabindex=\"0\"])')");
    browser.press(Keys.ENTER);

    browser.await("location.search.includes('since=')");
    browser.find(".events td", "delete");
  }

  @Test
  void changesOfANamespace_untilNow_haveThoseOfThisMinute() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("just-now", Map.of("a", "b")));
    browser.open("/console/changes");

    browser.click("button", "Show changes");

    browser.find(".events a", "configmaps default just-now");
  }

  /** The server's table of Events has no column for the name. */
  @Test
  void tableWithoutNames_leadsToItsObjectsByTheFirstColumn() {
    other.post(
        "/api/v1/namespaces/default/events",
        Map.of(
            "metadata",
            Map.of("name", "told.1"),
            "involvedObject",
            Map.of("kind", "ConfigMap", "name", "told", "namespace", "default"),
            "reason",
            "Told",
            "type",
            "Normal"));
    browser.open("/console/list/core/v1/events/default?q=Told");

    browser.click(".rows a[href$='/told.1']");

    browser.find("h1", "told.1");
  }

  /** Who may not read the trail sees what the history says, and what is left out. */
  @Test
  void changesOfANamespace_withoutTheTrail_areThoseOfTheHistory() {
    other.post(CONFIG_MAPS, ConsoleUsers.configMap("untold", Map.of("a", "b")));
    browser.open("/console/access?tab=as");
    browser.type("input[name=user]", "bob");
    browser.type("input[name=group]", "dev");
    browser.click("button", "See it as this user");
    browser.awaitText("You see the console as bob");
    browser.open("/console/changes?namespace=default&from=2020-01-01T00:00&until=2090-01-01T00:00");

    browser.click("button", "Show changes");

    browser.awaitText("Without the audit trail: auditevents.audit.keelson.dev is forbidden");
    browser.awaitText("cannot get resource \"configmaps/history\"");
    browser.click("button", "Be yourself again");
    browser.awaitGone(".acting");
  }

  private void replaceInEditor(String before, String after) {
    browser.replaceInEditor(before, after);
  }

  private void patch(String path, String body) {
    assertThat(other.request().contentType(MERGE).body(body).patch(path).statusCode())
        .isEqualTo(200);
  }

  private void picture(String name) {
    @Nullable String folder = System.getProperty("keelson.screenshots");
    if (folder != null) {
      browser.screenshot(Path.of(folder, name + ".png"));
    }
  }

  private static Map<String, Object> deployment(String name) {
    Map<String, Object> labels = Map.of("app", name);
    return Map.of(
        "metadata", Map.of("name", name, "labels", labels),
        "spec",
            Map.of(
                "replicas",
                2,
                "selector",
                Map.of("matchLabels", labels),
                "template",
                Map.of(
                    "metadata",
                    Map.of("labels", labels),
                    "spec",
                    Map.of("containers", List.of(Map.of("name", "c", "image", "example/first"))))));
  }
}
