package dev.keelson.schema.codec.yaml;

import java.time.YearMonth;

/**
 * Plain scalars that YAML 1.1 reads as times. go-yaml reads them as strings but writes such strings
 * with quotes.
 */
final class YamlTimes {

  private final String text;
  private int at;

  private YamlTimes(String text) {
    this.text = text;
  }

  /**
   * Whether go-yaml takes the text for a time: a date of a four-digit year, alone, or with a time
   * of day behind {@code T} and a zone, or behind a space and none.
   */
  static boolean timestamp(String text) {
    return text.length() > 7 && text.charAt(4) == '-' && new YamlTimes(text).dateAndTime();
  }

  /** Whether the text is a number to the base 60, for example {@code 190:20:30}. */
  static boolean base60(String text) {
    if (text.indexOf(':') < 0) {
      return false;
    }
    YamlTimes scan = new YamlTimes(text);
    scan.at = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    return scan.base60();
  }

  private boolean base60() {
    if (!digit(at)) {
      return false;
    }
    while (digit(at) || is('_')) {
      at++;
    }
    int groups = 0;
    while (is(':')) {
      at++;
      int value = number(1, 2);
      if (value < 0 || value > 59) {
        return false;
      }
      groups++;
    }
    if (groups > 0 && is('.')) {
      at++;
      while (digit(at) || is('_')) {
        at++;
      }
    }
    return groups > 0 && at == text.length();
  }

  private boolean dateAndTime() {
    int year = number(4, 4);
    int month = year >= 0 && skip('-') ? number(1, 2) : -1;
    int day = month >= 1 && month <= 12 && skip('-') ? number(1, 2) : -1;
    if (day < 1 || day > YearMonth.of(year, month).lengthOfMonth()) {
      return false;
    }
    if (at == text.length()) {
      return true;
    }
    boolean zoned = is('T') || is('t');
    if (!zoned && !is(' ')) {
      return false;
    }
    at++;
    return timeOfDay() && (!zoned || zone()) && at == text.length();
  }

  private boolean timeOfDay() {
    int hour = number(1, 2);
    int minute = hour >= 0 && hour < 24 && skip(':') ? number(1, 2) : -1;
    int second = minute >= 0 && minute < 60 && skip(':') ? number(1, 2) : -1;
    if (second < 0 || second > 59) {
      return false;
    }
    if ((is('.') || is(',')) && digit(at + 1)) {
      at++;
      while (digit(at)) {
        at++;
      }
    }
    return true;
  }

  private boolean zone() {
    if (skip('Z')) {
      return true;
    }
    if (!skip('+') && !skip('-')) {
      return false;
    }
    int hours = number(2, 2);
    int minutes = hours >= 0 && hours <= 24 && skip(':') ? number(2, 2) : -1;
    return minutes >= 0 && minutes < 60;
  }

  /** The next digits as a number, or -1 if there are fewer than {@code least}. */
  private int number(int least, int most) {
    int value = 0;
    int count = 0;
    while (count < most && digit(at)) {
      value = value * 10 + text.charAt(at++) - '0';
      count++;
    }
    return count < least ? -1 : value;
  }

  private boolean skip(char c) {
    boolean found = is(c);
    at += found ? 1 : 0;
    return found;
  }

  private boolean is(char c) {
    return at < text.length() && text.charAt(at) == c;
  }

  private boolean digit(int position) {
    return position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9';
  }
}
