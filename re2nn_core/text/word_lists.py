"""Words that belong together by what they mean: short closed lists, by their name, in English and some in Chinese."""

from __future__ import annotations

from collections.abc import Mapping


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


WORD_LISTS: Mapping[str, frozenset[str]] = {
    "months": _words(
        "january february march april may june july august september october november december jan feb mar apr jun",
        "jul aug sep sept oct nov dec 一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月",
    ),
    "weekdays": _words(
        "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays",
        "saturdays sundays mon tue tues wed thu thur thurs fri sat sun 星期一 星期二 星期三 星期四 星期五 星期六",
        "星期日 星期天 周一 周二 周三 周四 周五 周六 周日 周末 weekday weekdays weekend weekends",
    ),
    "days": _words("today tomorrow yesterday tonight 今天 明天 昨天 后天 今晚 明早 明晚"),
    "times of day": _words(
        "morning mornings noon afternoon afternoons evening evenings night nights midnight midday dawn dusk a.m.",
        "p.m. am pm 早上 上午 中午 下午 傍晚 晚上 凌晨 半夜",
    ),
    "seasons": _words("spring summer autumn winter 春天 夏天 秋天 冬天"),
    "numerals": _words(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen",
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million",
        "billion dozen once twice 一 二 两 三 四 五 六 七 八 九 十 百 千 万",
    ),
    "ordinals": _words(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth",
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth last",
    ),
    "pronouns": _words(
        "i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our",
        "ours ourselves they them their theirs themselves u ur 我 你 您 他 她 它 我们 你们 他们 她们",
    ),
    "question words": _words("what which who whom whose when where why how 什么 哪 哪里 哪儿 哪个 谁 怎么 几"),
    "colours": _words("red blue green yellow black white orange purple pink brown grey gray"),
    "greetings": _words("hello hi hey hiya greetings welcome goodbye bye 你好 您好 再见"),
    "yes and no": _words("yes no yeah yep nope ok okay"),
    "negations": _words(
        "not never none nothing nobody nowhere n't cannot can't don't doesn't didn't won't isn't aren't",
        "wasn't",
    ),
    "currencies": _words("dollar dollars euro euros pound pounds cent cents pence yen usd eur gbp quid 元 块 美元"),
    "units of time": _words(
        "second seconds minute minutes min mins hour hours hr hrs day days week weeks month months year years",
    ),
    "directions": _words("north south east west northern southern eastern western left right up down"),
}

# Words that hold sentences together: nearly every text has some of them, whatever it is about.
FUNCTION_WORDS = _words(
    "a an the this that these those and or but nor so if then than because while as at by for from in into of off on",
    "onto out over to under up with within without about after before between during through until till upon via",
    "is am are was were be been being do does did done doing have has had having can could may might must shall",
    "should will would ll ve re s t d m there here also just too very 的 了 在 是 和 与 也 都 就 吗 呢 吧 啊",
)


def is_common_word(word: str) -> bool:
    """Whether a word only holds sentences together, or is a sign or a single letter."""
    return word.lower() in FUNCTION_WORDS or (len(word) < 2 and not word.isdigit()) or not any(map(str.isalnum, word))
