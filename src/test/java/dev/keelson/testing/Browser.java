package dev.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.Alert;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.NoAlertPresentException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Debian's Chromium without a window, driven by its chromedriver. Every wait ends with the
 * condition, or as a failure after half a minute. Not thread-safe: one test owns it.
 */
public final class Browser implements AutoCloseable {

  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final ChromeDriver driver;
  private final URI address;

  private Browser(ChromeDriver driver, URI address) {
    this.driver = driver;
    this.address = address;
  }

  /**
   * Starts a browser with an empty profile that accepts the certificate of a server.
   *
   * @param address of the server
   */
  public static Browser start(URI address) {
    Assumptions.assumeTrue(
        Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER),
        "Chromium is not installed (bin/ensure chromedriver)");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.setAcceptInsecureCerts(true);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--window-size=1280,800");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(LIMIT.multipliedBy(2));
    return new Browser(driver, address);
  }

  /** Loads a page of the server. */
  public void open(String path) {
    driver.get(address + path);
  }

  /** The element that is shown, as soon as it is. */
  public WebElement find(String css) {
    return wait("shown: " + css, () -> shown(css));
  }

  /** The shown element with exactly this text, as soon as there is one. */
  public WebElement find(String css, String text) {
    return wait(shownWith(css, text), () -> shown(css, text));
  }

  /** Clicks on the element with this text, as soon as it is shown and can be used. */
  public void click(String css, String text) {
    String usable = css + ":not(:disabled)";
    click(shownWith(usable, text), () -> shown(usable, text));
  }

  /** Clicks on an element, as soon as it is shown. */
  public void click(String css) {
    click("shown: " + css, () -> shown(css));
  }

  /** A page that is drawn again between the look and the click is looked at again. */
  private void click(String condition, Look<WebElement> look) {
    WebElement unused =
        wait(
            condition,
            () -> {
              WebElement element = look.at();
              if (element != null) {
                element.click();
              }
              return element;
            });
  }

  /** Replaces the text of an input. */
  public void type(String css, String text) {
    WebElement unused =
        wait(
            "shown: " + css,
            () -> {
              WebElement input = shown(css);
              if (input != null) {
                input.clear();
                input.sendKeys(text);
              }
              return input;
            });
  }

  /** Waits until the text of the page contains {@code text}. */
  public void awaitText(String text) {
    wait("text: " + text, () -> text().contains(text) ? text : null);
  }

  /** Waits until nothing matches. */
  public void awaitGone(String css) {
    wait("gone: " + css, () -> driver.findElements(By.cssSelector(css)).isEmpty() ? css : null);
  }

  /** The text that the page shows. */
  public String text() {
    return driver.findElement(By.tagName("body")).getText();
  }

  /** The number of elements that match. */
  public int count(String css) {
    return driver.findElements(By.cssSelector(css)).size();
  }

  /** What an expression of JavaScript returns. */
  public @Nullable Object evaluate(String expression, Object... arguments) {
    return ((JavascriptExecutor) driver).executeScript("return " + expression, arguments);
  }

  /** Runs a script in the page. */
  public void run(String script) {
    ((JavascriptExecutor) driver).executeScript(script);
  }

  /** What the promise of an expression of JavaScript is fulfilled with. */
  public @Nullable Object evaluateLater(String expression) {
    return ((JavascriptExecutor) driver)
        .executeAsyncScript(
            "const done = arguments[arguments.length - 1];"
                + expression
                + ".then(done, error => done('failed: ' + error))");
  }

  /** Presses keys in the element that has the focus. */
  public void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  /** Waits until an expression of JavaScript is true. */
  public void await(String expression) {
    wait(
        expression,
        () -> Boolean.TRUE.equals(evaluate("Boolean(" + expression + ")")) ? true : null);
  }

  /** Waits for the editor of the console, which is in a shadow root. */
  public void awaitEditor() {
    await("document.querySelector('.codemirror')?.shadowRoot?.querySelector('.cm-content')");
  }

  /** Edits as a user does, by the editor's own search for what is replaced. */
  public void replaceInEditor(String before, String after) {
    awaitEditor();
    Object done =
        evaluate(
            """
            (() => {
              const content = document.querySelector('.codemirror').shadowRoot.querySelector('.cm-content');
              const view = content.cmTile.view;
              const at = view.state.doc.toString().indexOf(arguments[0]);
              view.dispatch({ changes: { from: at, to: at + arguments[0].length, insert: arguments[1] } });
              return at >= 0;
            })()\
            """,
            before,
            after);
    assertThat(done).isEqualTo(true);
  }

  /** Rests the mouse on the first occurrence of a text in the editor. */
  public void hoverInEditor(String text) {
    awaitEditor();
    String place =
        String.valueOf(
            evaluate(
                """
                (() => {
                  const content = document.querySelector('.codemirror').shadowRoot.querySelector('.cm-content');
                  const view = content.cmTile.view;
                  const at = view.state.doc.toString().indexOf(arguments[0]);
                  const box = view.coordsAtPos(at + 1);
                  return `${Math.round(box.left) + 1} ${Math.round((box.top + box.bottom) / 2)}`;
                })()\
                """,
                text));
    Actions mouse = new Actions(driver);
    String[] pixels = place.split(" ");
    int x = Integer.parseInt(pixels[0]);
    int y = Integer.parseInt(pixels[1]);
    // only a movement makes the editor look where the mouse rests
    mouse.moveToLocation(x + 3, y).moveToLocation(x, y).perform();
  }

  /** The text of the console's editor. */
  public String editorText() {
    awaitEditor();
    return String.valueOf(
        evaluate(
            "document.querySelector('.codemirror').shadowRoot.querySelector('.cm-content')"
                + ".cmTile.view.state.doc.toString()"));
  }

  /** Signs in to the console by a token, on the page that is shown. */
  public void signIn(String token) {
    type("input[name=token]", token);
    click("button", "Sign in");
    find(".user");
  }

  /** The window that is shown. */
  public String window() {
    return driver.getWindowHandle();
  }

  /** Loads a page of the server in another window, which is shown from now on. */
  public void openWindow(String path) {
    driver.switchTo().newWindow(WindowType.TAB);
    open(path);
  }

  /** Shows another window. */
  public void show(String window) {
    driver.switchTo().window(window);
  }

  /** Closes the window that is shown, and shows another. */
  public void closeWindow(String next) {
    driver.close();
    show(next);
  }

  /**
   * Answers a question of the page in a dialog of the browser, as soon as there is one.
   *
   * @return the question
   */
  public String answer(boolean yes) {
    return new WebDriverWait(driver, LIMIT, Duration.ofMillis(50))
        .ignoring(NoAlertPresentException.class)
        .until(
            unused -> {
              Alert question = driver.switchTo().alert();
              String text = question.getText();
              if (yes) {
                question.accept();
              } else {
                question.dismiss();
              }
              return text;
            });
  }

  /** Goes back in the history of the window. */
  public void back() {
    driver.navigate().back();
  }

  /** Makes the browser forget its cookies, as it does at their end. */
  public void forgetCookies() {
    driver.manage().deleteAllCookies();
  }

  /** Bytes that live objects of the page take, after a garbage collection. */
  public long heapBytes() {
    driver.executeCdpCommand("HeapProfiler.collectGarbage", Map.of());
    Object used = driver.executeCdpCommand("Runtime.getHeapUsage", Map.of()).get("usedSize");
    return ((Number) Objects.requireNonNull(used)).longValue();
  }

  /** The title of the page. */
  public String title() {
    return driver.getTitle();
  }

  /** Sets the size of the window in pixels. */
  public void resize(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
  }

  /** What pages have logged, and the browser about them, since the last call. */
  public List<String> log() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .toList();
  }

  /** Makes media queries see a preference, for example {@code prefers-color-scheme}. */
  public void prefer(String feature, String value) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", feature, "value", value))));
  }

  /** Writes what the window shows as a PNG. */
  public void screenshot(Path file) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, SmallPicture.of(driver.getScreenshotAs(OutputType.BYTES)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails if a page broke its security policy, or threw. */
  public void assertQuiet() {
    assertThat(log())
        .noneMatch(
            line ->
                line.contains("Content Security Policy")
                    || line.contains("TrustedHTML")
                    || line.contains("Uncaught"));
  }

  private @Nullable WebElement shown(String css) {
    return driver.findElements(By.cssSelector(css)).stream()
        .filter(WebElement::isDisplayed)
        .findFirst()
        .orElse(null);
  }

  /**
   * In the page: a question for each element would take longer than a live table stays the same.
   */
  private @Nullable WebElement shown(String css, String text) {
    return (WebElement)
        evaluate(
            "[...document.querySelectorAll(arguments[0])].find(each =>"
                + " each.checkVisibility() && each.textContent.trim() ==="
                + " arguments[1].trim())",
            css,
            text);
  }

  private static String shownWith(String css, String text) {
    return "shown: " + css + " with the text " + text;
  }

  /** What is looked for; null while it is not there. */
  private interface Look<T> {
    @Nullable T at();
  }

  private <T> T wait(String condition, Look<T> look) {
    return new WebDriverWait(driver, LIMIT, Duration.ofMillis(50))
        .ignoring(StaleElementReferenceException.class)
        .withMessage(() -> condition + "\non the page:\n" + text() + "\nlogged:\n" + log())
        .until(unused -> look.at());
  }

  @Override
  public void close() {
    driver.quit();
  }
}
